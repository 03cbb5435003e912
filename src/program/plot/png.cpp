// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// PNG through libpng.
#include "plot/png.hpp"

#include <lacis/error.hpp>

#ifdef LACIS_WITH_PNG
#include <memory>
#include <png.h>

namespace lacis::plot {
namespace {

[[noreturn]] void fail(png_structp, png_const_charp message) {
  throw error(errc::unsupported, std::string("libpng: ") + message);
}

void append(png_structp png, png_bytep data, png_size_t size) {
  auto& bytes = *static_cast<std::vector<std::byte>*>(png_get_io_ptr(png));
  const auto* first = reinterpret_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), first, first + size);
}

struct writer {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, nullptr);
  png_infop info = png_create_info_struct(png);
  writer() = default;
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;
  ~writer() { png_destroy_write_struct(&png, &info); }
};

}  // namespace

std::vector<std::byte> encode_png(const canvas& picture, std::string_view title) {
  static_assert(sizeof(color) == 3, "pixels are written as they are");
  std::vector<std::byte> bytes;
  const writer w;
  png_set_write_fn(w.png, &bytes, append, nullptr);
  png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(picture.width()), static_cast<png_uint_32>(picture.height()), 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  std::string title_text(title);
  char software_key[] = "Software";
  char software_text[] = "lacis";
  char title_key[] = "Title";
  png_text texts[2] = {};
  texts[0].compression = texts[1].compression = PNG_TEXT_COMPRESSION_NONE;
  texts[0].key = software_key;
  texts[0].text = software_text;
  texts[1].key = title_key;
  texts[1].text = title_text.data();
  png_set_text(w.png, w.info, texts, 2);
  png_write_info(w.png, w.info);
  for (std::int64_t y = 0; y < picture.height(); ++y)
    png_write_row(w.png, reinterpret_cast<png_const_bytep>(picture.pixels().data() + y * picture.width()));
  png_write_end(w.png, w.info);
  return bytes;
}

}  // namespace lacis::plot

#else

namespace lacis::plot {

std::vector<std::byte> encode_png(const canvas&, std::string_view) {
  throw error(errc::unsupported, "this lacis was built without libpng (LACIS_WITH_PNG); it cannot draw PNG pictures");
}

}  // namespace lacis::plot

#endif
