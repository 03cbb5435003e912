// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How the rows of each format are read one after the other.
#include "cpu/spmv/row_source.hpp"

#include <algorithm>
#include <array>

#include "base/instantiate.hpp"
#include "cpu/spmv/bsr_rows.hpp"
#include "cpu/spmv/dia_rows.hpp"
#include "cpu/spmv/slots.hpp"
#include "formats/offsets.hpp"
#include "formats/views.hpp"

namespace lacis::cpu {
namespace {

/// A chunk of entries copied together.
template <class A, class Index> struct gathered_entries {
  std::array<A, static_cast<std::size_t>(chunk_size)> values;
  std::array<Index, static_cast<std::size_t>(chunk_size)> columns;

  /// slot(k) and from(k) say where entry k is.
  template <class From, class Slot> stored_entries<A, Index> gather(std::int64_t count, From&& from, Slot&& slot) {
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t at = slot(k);
      values[static_cast<std::size_t>(k)] = from(k).values[at];
      columns[static_cast<std::size_t>(k)] = from(k).columns[static_cast<std::size_t>(at)];
    }
    return {values.data(), false, columns.data()};
  }
};

template <class A, class Index, class Offset> class csr_rows final : public row_source<A, Index> {
 public:
  explicit csr_rows(const csr_view<A, Index, Offset>& a) : a_(a), values_(a.values) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override {
    return detail::balanced_cut(a_.row_offsets, part, parts);
  }
  std::int64_t start(std::int64_t place) override {
    row_ = place;
    if (!detail::offsets_rise(a_.row_offsets.data() + place, 1, a_.nnz())) return this->refuse();
    next_ = a_.row_offsets[static_cast<std::size_t>(place)];
    return a_.row_offsets[static_cast<std::size_t>(place + 1)] - next_;
  }
  [[nodiscard]] std::int64_t row() const override { return row_; }
  stored_entries<A, Index> read(std::int64_t count) override {
    next_ += count;
    const std::int64_t first = next_ - count;
    return {values_.data.data() + (values_.iso ? 0 : first), values_.iso, a_.columns.data() + first};
  }

 private:
  const csr_view<A, Index, Offset>& a_;
  values_view<A> values_;
  std::int64_t row_ = 0;
  std::int64_t next_ = 0;
};

/// ELL, SELL and JDS. JDS places must be visited in ascending order.
template <class View> class slot_rows final : public row_source<typename View::value_type, typename View::index_type> {
 public:
  using A = typename View::value_type;
  using Index = typename View::index_type;

  explicit slot_rows(const View& a) : a_(a), where_(slots_of(a)), falling_(where_.diagonal_count) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override { return detail::even_cut(a_.rows, part, parts); }
  std::int64_t start(std::int64_t place) override {
    place_ = place;
    next_ = 0;
    if (row() < 0 || row() >= a_.rows) return this->refuse();
    if (where_.lengths != nullptr) {
      const std::int64_t length = where_.lengths[place];
      return length >= 0 && where_.has_slots(place / where_.stride, length) ? length : this->refuse();
    }
    while (falling_ > 0 && where_.diagonals[falling_] - where_.diagonals[falling_ - 1] <= place) --falling_;
    return falling_;
  }
  [[nodiscard]] std::int64_t row() const override {
    return where_.permutation != nullptr ? where_.permutation[place_] : place_;
  }
  stored_entries<A, Index> read(std::int64_t count) override {
    const std::int64_t first = next_;
    next_ += count;
    return copy_.gather(
        count, [&](std::int64_t) -> const View& { return a_; },
        [&](std::int64_t k) { return where_.slot(place_, first + k); });
  }

 private:
  const View& a_;
  slots<Index> where_;
  std::int64_t falling_;
  std::int64_t place_ = 0;
  std::int64_t next_ = 0;
  gathered_entries<A, Index> copy_;
};

template <class A, class Index> class bsr_rows final : public row_source<A, Index> {
 public:
  explicit bsr_rows(const bsr_view<A, Index>& a) : a_(a), reader_(a) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override { return detail::even_cut(a_.rows, part, parts); }
  std::int64_t start(std::int64_t place) override {
    row_ = place;
    const std::int64_t count = reader_.start(place);
    return count >= 0 ? count : this->refuse();
  }
  [[nodiscard]] std::int64_t row() const override { return row_; }
  stored_entries<A, Index> read(std::int64_t count) override { return reader_.read(count); }

 private:
  const bsr_view<A, Index>& a_;
  bsr_row_reader<A, Index> reader_;
  std::int64_t row_ = 0;
};

template <class A, class Index> class dia_rows final : public row_source<A, Index> {
 public:
  explicit dia_rows(const dia_view<A, Index>& a) : a_(a) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override { return detail::even_cut(a_.rows, part, parts); }
  std::int64_t start(std::int64_t place) override {
    row_ = place;
    next_ = 0;
    std::int64_t count = 0;
    for (std::int64_t d = 0; d < static_cast<std::int64_t>(a_.diagonals.size()); ++d)
      count += a_.occupied(d, row_) ? 1 : 0;
    return count;
  }
  [[nodiscard]] std::int64_t row() const override { return row_; }
  stored_entries<A, Index> read(std::int64_t count) override {
    for (std::int64_t k = 0; k < count; ++next_) {
      if (!a_.occupied(next_, row_)) continue;
      copy_.values[static_cast<std::size_t>(k)] = a_.values[next_ * a_.rows + row_];
      copy_.columns[static_cast<std::size_t>(k)] =
          static_cast<Index>(row_ + a_.diagonals[static_cast<std::size_t>(next_)]);
      ++k;
    }
    return {copy_.values.data(), false, copy_.columns.data()};
  }

 private:
  const dia_view<A, Index>& a_;
  std::int64_t row_ = 0;
  std::int64_t next_ = 0;
  gathered_entries<A, Index> copy_;
};

/// COO, sorted by row, and HYB, whose rows go on there from the ELL part.
template <class A, class Index> class runs_rows final : public row_source<A, Index> {
 public:
  explicit runs_rows(const coo_view<A, Index>& a) : coo_(a) {}
  explicit runs_rows(const hyb_view<A, Index>& a) : ell_(a.ell), coo_(a.coo) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override {
    return detail::even_cut(coo_.rows, part, parts);
  }
  std::int64_t start(std::int64_t place) override {
    row_ = place;
    next_ = 0;
    const auto run = std::equal_range(coo_.row_indices.begin(), coo_.row_indices.end(), static_cast<Index>(place));
    run_ = run.first - coo_.row_indices.begin();
    prefix_ = ell_.width == 0 ? 0 : static_cast<std::int64_t>(ell_.row_lengths[static_cast<std::size_t>(place)]);
    const bool is_full = prefix_ == ell_.width;
    if (prefix_ < 0 || prefix_ > ell_.width || (!is_full && run.first != run.second)) return this->refuse();
    return prefix_ + (run.second - run.first);
  }
  [[nodiscard]] std::int64_t row() const override { return row_; }
  stored_entries<A, Index> read(std::int64_t count) override {
    struct part {
      values_view<A> values;
      std::span<const Index> columns;
    };
    const part parts[] = {{ell_.values, ell_.columns}, {coo_.values, coo_.columns}};
    const std::int64_t first = next_;
    next_ += count;
    return copy_.gather(
        count, [&](std::int64_t k) -> const part& { return parts[first + k < prefix_ ? 0 : 1]; },
        [&](std::int64_t k) {
          return first + k < prefix_ ? (first + k) * ell_.rows + row_ : run_ + first + k - prefix_;
        });
  }

 private:
  ell_view<A, Index> ell_;
  coo_view<A, Index> coo_;
  std::int64_t row_ = 0;
  std::int64_t run_ = 0;
  std::int64_t prefix_ = 0;
  std::int64_t next_ = 0;
  gathered_entries<A, Index> copy_;
};

/// work on every thread with a Source over the view.
template <class Source, class View, class Work> bool with_sources(const launch& how, const View& a, const Work& work) {
  run(how, [&](int thread, int threads) {
    Source source(a);
    work(source, thread, threads);
  });
  return true;
}

/// Whether entries are grouped by ascending row, and those are rows of the matrix.
template <class A, class Index> bool has_sorted_rows(const coo_view<A, Index>& a) {
  const auto rows = a.row_indices;
  return rows.empty() || (std::is_sorted(rows.begin(), rows.end()) && rows.front() >= 0 && rows.back() < a.rows);
}

}  // namespace

template <class A, class Index, class Offset>
bool on_rows(const launch& how, const csr_view<A, Index, Offset>& a, const row_work<A, Index>& work) {
  return with_sources<csr_rows<A, Index, Offset>>(how, a, work);
}
template <class A, class Index>
bool on_rows(const launch& how, const csc_view<A, Index>& a, const row_work<A, Index>& work) {
  if (!columns_ascend(how, a)) return false;
  const csr_matrix<A, Index> rows = detail::to_csr(a);
  return on_rows(how, rows.view(), work);
}
template <class A, class Index>
bool on_rows(const launch& how, const coo_view<A, Index>& a, const row_work<A, Index>& work) {
  return has_sorted_rows(a) && with_sources<runs_rows<A, Index>>(how, a, work);
}
template <class A, class Index>
bool on_rows(const launch& how, const hyb_view<A, Index>& a, const row_work<A, Index>& work) {
  return has_sorted_rows(a.coo) && with_sources<runs_rows<A, Index>>(how, a, work);
}
template <class A, class Index>
bool on_rows(const launch& how, const ell_view<A, Index>& a, const row_work<A, Index>& work) {
  return with_sources<slot_rows<ell_view<A, Index>>>(how, a, work);
}
template <class A, class Index>
bool on_rows(const launch& how, const sell_view<A, Index>& a, const row_work<A, Index>& work) {
  return with_sources<slot_rows<sell_view<A, Index>>>(how, a, work);
}
template <class A, class Index>
bool on_rows(const launch& how, const jds_view<A, Index>& a, const row_work<A, Index>& work) {
  return diagonals_fall(a) && with_sources<slot_rows<jds_view<A, Index>>>(how, a, work);
}
template <class A, class Index>
bool on_rows(const launch& how, const bsr_view<A, Index>& a, const row_work<A, Index>& work) {
  return with_sources<bsr_rows<A, Index>>(how, a, work);
}
template <class A, class Index>
bool on_rows(const launch& how, const dia_view<A, Index>& a, const row_work<A, Index>& work) {
  return diagonals_fit(a, 0, a.mask_words()) && with_sources<dia_rows<A, Index>>(how, a, work);
}

#define LACIS_INSTANTIATE_VIEW(View, A, Index) \
  template bool on_rows(const launch&, const View<A, Index>&, const row_work<A, Index>&);
#define LACIS_INSTANTIATE(A, Index) LACIS_FOR_EACH_VIEW(LACIS_INSTANTIATE_VIEW, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#define LACIS_INSTANTIATE_NARROW(A) LACIS_INSTANTIATE_VIEW(narrow_csr_view, A, std::int32_t)
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE_NARROW)

}  // namespace lacis::cpu
