// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The commands of the command line on MPI ranks.
#include "ranks/cluster.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <omp.h>

#include <lacis/error.hpp>
#include <lacis/hash.hpp>
#include <lacis/mpi.hpp>
#include <lacis/version.hpp>

#include "base/text.hpp"
#include "mpi/choose.hpp"
#include "mpi/parts.hpp"
#include "mpi/processes.hpp"
#include "ranks/eigen.hpp"
#include "summation/hash.hpp"

namespace lacis::app {
namespace {

/// work(T{}) with the type of that name.
template <class Work> auto with_type(const std::string& name, Work&& work) {
  if (name == "double") return work(double{});
  if (name == "float") return work(float{});
  if (name == "complex-double") return work(std::complex<double>{});
  if (name == "complex-float") return work(std::complex<float>{});
  throw error(errc::invalid_argument, "there is no type '" + name + "'; see 'lacis help solve'");
}

class mpi_cluster final : public cluster {
 public:
  mpi_cluster() {
    int is_ready = 0;
    MPI_Initialized(&is_ready);
    int level = 0;
    if (is_ready == 0) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    // A rank that fails alone is to throw: the program has the message and the exit code.
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    group_ = std::make_unique<dist::processes>(MPI_COMM_WORLD);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &neighbours_);
    MPI_Comm_free(&here);
  }

  [[nodiscard]] int rank() const override { return group_->rank(); }
  [[nodiscard]] int size() const override { return group_->size(); }
  [[nodiscard]] int neighbours() const override { return neighbours_; }
  void finish() override {
    group_.reset();
    MPI_Finalize();
  }
  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }
  void together(const std::function<void()>& work) override { group_->together(work); }
  void require_same_arguments(std::string_view arguments) override {
    group_->require_same("lacis",
                         {{"version", dist::number_of(version())}, {"command line", dist::number_of(arguments)}});
  }

  spread_solution solve(const named_matrix& a, const any_vector* b, const auto_options& options,
                        bool wants_x) override {
    return with_type(a.type, [&](auto zero) { return solve_as<decltype(zero)>(a, b, options, wants_x); });
  }
  spread_eigen eigs(const named_matrix& a, std::int64_t pairs, const eigen_options<double>& options,
                    const std::optional<preconditioner_options>& how, bool wants_vectors) override {
    return with_type(a.type, [&](auto zero) { return eigs_as<decltype(zero)>(a, pairs, options, how, wants_vectors); });
  }
  spread_product_result multiply(const named_matrix& a, const std::function<double(std::int64_t)>& number) override {
    return with_type(a.type, [&](auto zero) { return multiply_as<decltype(zero)>(a, number); });
  }
  spread_spgemm_result multiply(const named_matrix& a, const named_matrix& b) override {
    return with_type(a.type, [&](auto zero) { return spgemm_as<decltype(zero)>(a, b); });
  }
  distributed_pagerank_result pagerank(const named_matrix& links, const pagerank_options& options,
                                       std::int64_t top) override;
  spread_cut cut(const named_matrix& a, std::int64_t parts, const std::string& output) override {
    return with_type(a.type, [&](auto zero) { return cut_as<decltype(zero)>(a, parts, output); });
  }

 private:
  /// A file that cannot be read is bad input, as it is for a command of one process.
  template <class T> static distributed_csr<T> read_file(const named_matrix& a, const distribute_options& spread) {
    try {
      return read_distributed<T>(MPI_COMM_WORLD, a.name, a.read, spread);
    } catch (const rank_error& problem) {
      if (problem.code() != errc::io) throw;
      throw rank_error(errc::bad_input, problem.what(), problem.rank(), problem.ranks());
    } catch (const error& problem) {
      if (problem.code() != errc::io) throw;
      throw error(errc::bad_input, problem.what());
    }
  }

  template <class T>
  distributed_csr<T> load(const named_matrix& a, spread_facts& facts, const distribute_options& spread = {}) {
    const double begin = MPI_Wtime();
    auto made = is_generator_spec(a.name) ? generate_distributed<T>(MPI_COMM_WORLD, a.name, a.generate, spread)
                                          : read_file<T>(a, spread);
    facts.processes = size();
    facts.threads = omp_get_max_threads();
    facts.rows = made.rows();
    facts.cols = made.cols();
    facts.entries = made.nnz();
    facts.value_type = a.type;
    std::replace(facts.value_type.begin(), facts.value_type.end(), '-', ' ');
    facts.read_seconds = group_->most(MPI_Wtime() - begin);
    return made;
  }

  template <class T> void tell(const distributed_matrix<T>& product, double begin, spread_facts& facts) {
    facts.prepare_seconds = group_->most(MPI_Wtime() - begin);
    facts.explanation = product.explain();
    const exchange_report& report = product.exchange();
    const std::int64_t sent = report.sent_elements * static_cast<std::int64_t>(sizeof(T));
    facts.sent_bytes = group_->sum(sent);
    facts.most_sent_bytes = group_->most(sent);
    facts.messages = group_->sum(std::int64_t{report.neighbours_out});
    facts.most_bytes = group_->most(product.storage_bytes());
    facts.exchange = facts.sent_bytes == 0 ? "none" : std::string(name_of(report.kind));
  }

  /// What plans may take: most of the memory that is left on this machine, shared among its processes.
  [[nodiscard]] std::int64_t memory_for_plans() const {
    std::ifstream file("/proc/meminfo");
    std::string word;
    std::int64_t kibibytes = 0;
    while (file >> word)
      if (word == "MemAvailable:" && file >> kibibytes) break;
    return kibibytes * 1024 / neighbours_ / 5 * 4;
  }

  /// The median over rounds of the slowest process: once to warm up, then on until half a second has passed.
  template <class Work> std::pair<double, int> median_of(Work&& work) {
    std::vector<double> times;
    double total = 0;
    work();
    while (times.size() < 5 || (total < 0.5 && times.size() < 1000)) {
      group_->barrier();
      const double begin = MPI_Wtime();
      work();
      times.push_back(group_->most(MPI_Wtime() - begin));
      total += times.back();
    }
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], static_cast<int>(times.size())};
  }

  template <class T>
  spread_product_result multiply_as(const named_matrix& a, const std::function<double(std::int64_t)>& number);
  template <class T> spread_spgemm_result spgemm_as(const named_matrix& a, const named_matrix& b);
  template <class T>
  spread_solution solve_as(const named_matrix& a, const any_vector* b, const auto_options& options, bool wants_x);
  template <class T>
  spread_eigen eigs_as(const named_matrix& a, std::int64_t pairs, const eigen_options<double>& options,
                       const std::optional<preconditioner_options>& how, bool wants_vectors);
  template <class T> spread_cut cut_as(const named_matrix& a, std::int64_t parts, const std::string& output);
  /// Everybody's elements, on the first process.
  template <class T> any_vector whole(std::span<const T> mine);

  std::unique_ptr<dist::processes> group_;
  int neighbours_ = 1;
};

template <class T>
spread_product_result mpi_cluster::multiply_as(const named_matrix& a,
                                               const std::function<double(std::int64_t)>& number) {
  spread_product_result result;
  auto matrix = load<T>(a, result.facts);
  const double begin = MPI_Wtime();
  const row_range own = matrix.own_cols();
  const distributed_matrix<T> product(std::move(matrix), {.memory_limit = memory_for_plans()});
  tell(product, begin, result.facts);
  auto& space = product.space();
  const auto x = space.zeros(product.cols());
  const auto y = space.zeros(product.rows());
  std::vector<T> numbers(static_cast<std::size_t>(product.cols()));
  for (std::size_t j = 0; j < numbers.size(); ++j)
    numbers[j] = T(static_cast<real_of<T>>(number(own.first + static_cast<std::int64_t>(j))));
  space.from_host(numbers, x);
  std::tie(result.seconds, result.runs) = median_of([&] { product.apply(x, y); });
  if (result.facts.sent_bytes > 0) result.facts.exchange_seconds = median_of([&] { product.exchange_only(x); }).first;
  result.hash = space.hash(y);
  return result;
}

template <class T> spread_spgemm_result mpi_cluster::spgemm_as(const named_matrix& a, const named_matrix& b) {
  spread_spgemm_result result;
  // Rows of B as the columns of A: where A is not B, both by rows alone.
  const bool is_square = b.name.empty();
  const distribute_options spread{.by_entries = is_square};
  const auto left = load<T>(a, result.facts, spread);
  spread_facts facts_of_b;
  const auto right = is_square ? distributed_csr<T>{} : load<T>(b, facts_of_b, spread);
  group_->barrier();
  const double begin = MPI_Wtime();
  const auto product = lacis::multiply(left, is_square ? left : right);
  result.seconds = group_->most(MPI_Wtime() - begin);
  const std::int64_t entries = product.local.nnz();
  const std::int64_t before = group_->sum_before(entries);
  const row_range own = product.own_rows();
  buffer<double> numbers(entries);
  for (std::int64_t k = 0; k < entries; ++k) numbers[k] = static_cast<double>(product.column(product.local.columns[k]));
  result.entries = group_->sum(entries);
  result.hash_of_columns = group_->sum(summation::solution_hash(std::span<const double>(numbers), before));
  buffer<T> values(entries);
  for (std::int64_t k = 0; k < entries; ++k) values[k] = product.local.values[k];
  result.hash_of_values = group_->sum(summation::solution_hash(std::span<const T>(values), before));
  // Offset 0 belongs to no row.
  buffer<double> offsets(product.local.rows);
  for (std::int64_t i = 0; i < offsets.size(); ++i)
    offsets[i] = static_cast<double>(before + product.local.row_offsets[i + 1]);
  const double zero = 0;
  result.hash_of_row_offsets = group_->sum(summation::solution_hash(std::span<const double>(offsets), own.first + 1)) +
                               summation::solution_hash(std::span<const double>(&zero, 1));
  return result;
}

template <class T> any_vector mpi_cluster::whole(std::span<const T> mine) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(size()), 0);
  counts[0] = static_cast<std::int64_t>(mine.size());
  const auto all = dist::exchange<T>(*group_, mine, counts);
  using wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
  buffer<wide> x(all.data.size());
  for (std::int64_t i = 0; i < x.size(); ++i) x[i] = static_cast<wide>(all.data[i]);
  return x;
}

template <class T>
spread_cut mpi_cluster::cut_as(const named_matrix& a, std::int64_t parts, const std::string& output) {
  spread_cut found;
  const auto matrix = load<T>(a, found.facts);
  found.ghosts_before = group_->sum(matrix.ghosts.size());
  const double begin = MPI_Wtime();
  const dist::cut_matrix<T> cut = dist::cut_into_parts(matrix, parts);
  found.cut_seconds = group_->most(MPI_Wtime() - begin);
  found.parts = static_cast<std::int64_t>(cut.matrix.parts.size()) - 1;
  found.ghosts_after = group_->sum(cut.matrix.ghosts.size());
  const double written = MPI_Wtime();
  dist::write_cut(output, cut);
  found.write_seconds = group_->most(MPI_Wtime() - written);
  return found;
}

/// The elements of b that this process owns.
template <class T> std::vector<T> own_part(const any_vector& b, row_range own, std::int64_t rows) {
  return std::visit(
      [&](const auto& given) {
        using From = typename std::decay_t<decltype(given)>::value_type;
        if (given.size() != rows)
          throw error(errc::bad_input, detail::text("the right-hand side has ", given.size(),
                                                    " numbers for a matrix of ", rows, " rows"));
        std::vector<T> mine(static_cast<std::size_t>(own.last - own.first));
        if constexpr (is_complex<From> && !is_complex<T>)
          throw error(errc::bad_input, "the right-hand side is complex, the matrix is not; give it a complex type");
        else
          for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = static_cast<T>(given[own.first + static_cast<std::int64_t>(i)]);
        return mine;
      },
      b);
}

/// As a file counts them; all ranks learn of what one of them finds.
template <class T> void require_finite(const distributed_csr<T>& a) {
  a.group->together([&] {
    const std::int64_t first = a.own_rows().first;
    for (std::int64_t i = 0; i < a.local.rows; ++i)
      for (std::int64_t k = a.local.row_offsets[i]; k < a.local.row_offsets[i + 1]; ++k)
        if (const T entry = a.local.values[k]; !std::isfinite(std::real(entry)) || !std::isfinite(std::imag(entry)))
          throw error(errc::bad_input,
                      detail::text("the entry of row ", first + i + 1, " and column ", a.column(a.local.columns[k]) + 1,
                                   ", counted from 1, is not finite"));
  });
}

template <class T>
spread_solution mpi_cluster::solve_as(const named_matrix& a, const any_vector* b, const auto_options& options,
                                      bool wants_x) {
  spread_solution result;
  auto matrix = load<T>(a, result.facts);
  require_finite(matrix);
  const row_range own_rows = matrix.own_rows();
  const row_range own_cols = matrix.own_cols();
  const double begin = MPI_Wtime();
  const solver_choice choice = dist::choose(matrix, options, result.report.facts);
  // Only a preconditioner is made from the rows themselves.
  const distributed_matrix<T> product(
      choice.preconditioner ? matrix : std::move(matrix),
      {.adjoint = traits_of(choice.method).least_squares, .memory_limit = memory_for_plans()});
  tell(product, begin, result.facts);
  result.report.plan_seconds = result.facts.prepare_seconds;
  result.report.layout = result.facts.explanation;
  solve_attempt attempt;
  attempt.choice = choice;
  std::unique_ptr<preconditioner<T>> nearly_inverse;
  if (choice.preconditioner) {
    const double start = MPI_Wtime();
    nearly_inverse = make_distributed_preconditioner(matrix, product,
                                                     {.kind = *choice.preconditioner, .multigrid = options.multigrid});
    attempt.preconditioner = nearly_inverse->describe();
    if (nearly_inverse->hierarchy() != nullptr) attempt.hierarchy = *nearly_inverse->hierarchy();
    attempt.prepare_seconds = group_->most(MPI_Wtime() - start);
  }
  std::vector<T> right;
  auto& space = product.space();
  if (b != nullptr) {
    right = own_part<T>(*b, own_rows, result.facts.rows);
  } else {
    const auto ones = space.zeros(product.cols());
    const auto image = space.zeros(product.rows());
    space.from_host(std::vector<T>(static_cast<std::size_t>(product.cols()), T(1)), ones);
    product.apply(ones, image);
    right.resize(static_cast<std::size_t>(product.rows()));
    space.to_host(image, right);
  }
  std::vector<T> x(static_cast<std::size_t>(product.cols()), T(0));
  attempt.report = lacis::solve<T>(choice.method, product, right, x, options.solve, nearly_inverse.get());
  result.report.attempts.push_back(std::move(attempt));
  result.hash = group_->sum(summation::solution_hash(std::span<const T>(x), own_cols.first));
  if (wants_x) result.x = whole<T>(x);
  return result;
}

template <class T>
spread_eigen mpi_cluster::eigs_as(const named_matrix& a, std::int64_t pairs, const eigen_options<double>& options,
                                  const std::optional<preconditioner_options>& how, bool wants_vectors) {
  spread_eigen found;
  auto matrix = load<T>(a, found.facts);
  require_finite(matrix);
  const std::int64_t matrix_rows = matrix.rows();
  system_facts facts;
  static_cast<void>(dist::choose(matrix, {}, facts));
  if (!facts.square || !facts.hermitian)
    throw error(errc::bad_input, detail::text(a.name, " is not ", is_complex<T> ? "Hermitian" : "symmetric",
                                              "; eigenvalues of other matrices are not computed"));
  const double begin = MPI_Wtime();
  // Only a preconditioner is made from the rows themselves.
  const distributed_matrix<T> product(how ? matrix : std::move(matrix), {.memory_limit = memory_for_plans()});
  auto typed = options_for<T>(options);
  std::unique_ptr<preconditioner<T>> nearly_inverse;
  if (how) {
    nearly_inverse = make_distributed_preconditioner(matrix, product, *how);
    found.preconditioner = nearly_inverse->describe();
    typed.preconditioner = nearly_inverse;
  }
  tell(product, begin, found.facts);
  const eigen_result<T> result = lacis::eigs<T>(product, pairs_of(pairs, matrix_rows), typed);
  found.result = without_vectors(result);
  if (!wants_vectors) return found;
  using wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
  const auto count = static_cast<std::int64_t>(result.values.size());
  buffer<wide> all(rank() == 0 ? found.facts.rows * count : 0);
  for (std::int64_t j = 0; j < count; ++j) {
    const auto mine = static_cast<std::size_t>(product.rows());
    const auto column = std::get<buffer<wide>>(whole<T>({result.vectors.data() + j * product.rows(), mine}));
    std::copy(column.begin(), column.end(), all.data() + j * column.size());
  }
  found.vectors = std::move(all);
  return found;
}

distributed_pagerank_result mpi_cluster::pagerank(const named_matrix& links, const pagerank_options& options,
                                                  std::int64_t top) {
  distributed_pagerank_result found;
  auto matrix = load<double>(links, found.facts);
  const row_range own = matrix.own_rows();
  found.pages = matrix.rows();
  const pagerank_plan plan = pagerank_inspect(matrix);
  matrix = {};
  pagerank_options mine = options;
  if (!options.personalisation.empty()) {
    if (static_cast<std::int64_t>(options.personalisation.size()) != found.pages)
      throw error(errc::invalid_argument, detail::text("the personalisation has ", options.personalisation.size(),
                                                       " numbers for ", found.pages, " pages"));
    mine.personalisation = options.personalisation.subspan(static_cast<std::size_t>(own.first),
                                                           static_cast<std::size_t>(own.last - own.first));
  }
  found.result = lacis::pagerank(plan, mine);
  const buffer<double> ranks = std::move(found.result.ranks);
  found.result.ranks = {};
  found.hash = group_->sum(summation::solution_hash(std::span<const double>(ranks), own.first));
  std::vector<ranked_page> best = top_pages(ranks, top);
  for (ranked_page& one : best) one.page += own.first;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(size()), 0);
  counts[0] = static_cast<std::int64_t>(best.size());
  const auto all = dist::exchange<ranked_page>(*group_, best, counts);
  found.best.assign(all.data.begin(), all.data.end());
  std::stable_sort(found.best.begin(), found.best.end(), [](const auto& a, const auto& b) { return a.rank > b.rank; });
  found.best.resize(std::min(found.best.size(), static_cast<std::size_t>(std::max<std::int64_t>(top, 0))));
  return found;
}

}  // namespace
}  // namespace lacis::app

lacis::app::cluster* lacis_ranks_cluster(const char* version) {
  if (version == nullptr || lacis::version() != version) return nullptr;
  static lacis::app::mpi_cluster processes;
  return &processes;
}
