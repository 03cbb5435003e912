// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangles of preconditioners: triangular plans on the processor, one launch each on a device.
#include "solve/precondition/triangles.hpp"

#include <lacis/triangular.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "device/context.hpp"
#include "device/triangular.hpp"
#include "solve/device_space.hpp"
#include "solve/precondition/spare_vectors.hpp"

namespace lacis::solver {
namespace {

template <class T, class Index> class host_triangles final : public triangles<T, Index> {
 public:
  host_triangles(const csr_view<T, Index>& lower, const csr_view<T, Index>& upper, bool unit, int threads)
      : lower_(detail::triangular_inspect(lower, {.unit_diagonal = unit, .threads = threads})),
        upper_(detail::triangular_inspect(upper, {.upper = true, .threads = threads})),
        space_(make_host_space<T>({.threads = threads})),
        scratch_(*space_, lower.rows) {}

  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  void solve(const space_vector<T>& r, const space_vector<T>& z) const override {
    const auto scratch = scratch_.take();
    triangular_solve(lower_, elements(r), elements(scratch[0]));
    triangular_solve(upper_, elements(scratch[0]), elements(z));
  }
  void update(const csr_view<T, Index>& lower, const csr_view<T, Index>& upper) override {
    detail::update_values(lower_, lower);
    detail::update_values(upper_, upper);
  }
  [[nodiscard]] std::int64_t nnz() const override { return lower_.nnz() + upper_.nnz(); }
  [[nodiscard]] std::int64_t storage_bytes() const override { return lower_.storage_bytes() + upper_.storage_bytes(); }
  [[nodiscard]] std::string describe() const override { return detail::text("in ", lower_.levels(), " levels"); }

 private:
  static std::span<T> elements(const space_vector<T>& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

  triangular_plan<T, Index> lower_;
  triangular_plan<T, Index> upper_;
  std::unique_ptr<vector_space<T>> space_;
  spare_vectors<T, 1> scratch_;
};

/// One triangle in the memory of a device.
template <class T, class Index> struct device_triangle {
  device::device_csr<T, Index> matrix;
  device::triangular_plan plan;
};

template <class T, class Index> class device_triangles final : public triangles<T, Index> {
 public:
  device_triangles(const csr_view<T, Index>& lower, const csr_view<T, Index>& upper, bool unit, device_id where)
      : context_(where),
        space_(context_),
        between_(space_.zeros(lower.rows)),
        lower_(context_.internals(), upload(lower, device::triangle::lower, unit)),
        upper_(context_.internals(), upload(upper, device::triangle::upper, false)) {}

  [[nodiscard]] vector_space<T>& space() const override { return space_; }
  void solve(const space_vector<T>& r, const space_vector<T>& z) const override {
    const device::visit here(*context_.internals());
    device::solve(runtime(), lower_->plan, lower_->matrix, numbers(r), numbers(between_));
    device::solve(runtime(), upper_->plan, upper_->matrix, numbers(between_), numbers(z));
  }
  void update(const csr_view<T, Index>& lower, const csr_view<T, Index>& upper) override {
    const device::visit here(*context_.internals());
    auto of_lower = runtime().template upload<T>(lower.values.data);
    auto of_upper = runtime().template upload<T>(upper.values.data);
    // Nothing throws from here on.
    lower_->matrix.values = std::move(of_lower);
    upper_->matrix.values = std::move(of_upper);
  }
  [[nodiscard]] std::int64_t nnz() const override { return lower_->matrix.nnz + upper_->matrix.nnz; }
  [[nodiscard]] std::int64_t storage_bytes() const override {
    constexpr std::int64_t of_entry = sizeof(T) + sizeof(Index);
    constexpr std::int64_t of_row = 3 * sizeof(std::int64_t) + sizeof(std::int32_t);
    return nnz() * of_entry + 2 * lower_->matrix.rows * of_row;
  }
  [[nodiscard]] std::string describe() const override { return "where every row waits for those that it reads"; }

 private:
  using number = device::device_of<T>;

  static number* numbers(const space_vector<T>& x) { return reinterpret_cast<number*>(x.data()); }
  [[nodiscard]] device::runtime& runtime() const { return context_.internals()->home(); }
  [[nodiscard]] device_triangle<T, Index> upload(const csr_view<T, Index>& a, device::triangle part, bool unit) const {
    const device::visit here(*context_.internals());
    auto matrix = device::upload(runtime(), a);
    auto plan =
        device::plan_triangular(runtime(), matrix, part, unit ? device::diagonal::unit : device::diagonal::stored);
    runtime().wait();
    return {std::move(matrix), std::move(plan)};
  }

  device_context context_;
  mutable device_space<T> space_;
  space_vector<T> between_;
  device::resident<device_triangle<T, Index>> lower_;
  device::resident<device_triangle<T, Index>> upper_;
};

}  // namespace

template <class T, class Index>
std::unique_ptr<triangles<T, Index>> make_triangles(const csr_view<T, Index>& lower, const csr_view<T, Index>& upper,
                                                    bool unit, int threads, device_id device) {
  if (device.kind == device_kind::cpu) return std::make_unique<host_triangles<T, Index>>(lower, upper, unit, threads);
  return std::make_unique<device_triangles<T, Index>>(lower, upper, unit, device);
}

#define LACIS_INSTANTIATE(T, Index)                                                                                  \
  template std::unique_ptr<triangles<T, Index>> make_triangles(const csr_view<T, Index>&, const csr_view<T, Index>&, \
                                                               bool, int, device_id);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver
