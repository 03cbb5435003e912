// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products and vector operations on a device: compared with their definition, then timed interleaved.
#include "verify/measure_device.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/plan.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "device/context.hpp"
#include "device/spmv.hpp"
#include "device/vector.hpp"
#include "summation/scale.hpp"
#include "summation/vector.hpp"
#include "verify/device_rounds.hpp"
#include "verify/ledger.hpp"
#include "verify/measure_square.hpp"
#include "verify/numbers.hpp"

namespace lacis {
namespace {

using detail::text;
using device::runtime;
using device::spmv_facts;
using device::spmv_update;
using verification::device_stopwatch;
using verification::device_turn;
using verification::full_numbers;
using verification::whole_numbers;
using number = double;
using column = std::int32_t;
using csr = csr_matrix<number, column>;

constexpr std::int64_t largest_matrix = std::int64_t{512} << 20;  ///< four times the largest L2 of a GPU
constexpr std::int64_t simt_matrix = 48 << 10;
constexpr std::int64_t share_of_memory = 24;    ///< a dozen formats are there at the same time, and vectors
constexpr std::int64_t share_of_products = 64;  ///< of that a matrix that is squared: the result is much larger
constexpr int conversions = 3;
constexpr std::int64_t most_padding = 3;  ///< a format that takes more than so many times CSR is left out

std::int64_t matrix_bytes(const device_measurements& all, const device_measure_options& options) {
  if (options.matrix_bytes > 0) return options.matrix_bytes;
  if (!all.times_count()) return simt_matrix;
  return std::min(largest_matrix, all.found.memory_bytes / share_of_memory);
}

/// Rows of 27 in a regular pattern, rows of very different lengths, and rows of two with random columns.
std::vector<std::string> specs_for(std::int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  constexpr double offset = sizeof(std::int64_t);
  constexpr double entry = sizeof(number) + sizeof(column);
  const auto cells = static_cast<std::int64_t>(std::cbrt(size / (offset + 27 * entry)));
  const auto scale = static_cast<std::int64_t>(std::log2(size / (offset + 16 * entry)));
  const auto nodes = static_cast<std::int64_t>(size / (offset + 2.13 * entry));
  return {text("@stencil27:", std::max<std::int64_t>(cells, 2)), text("@rmat:", std::max<std::int64_t>(scale, 2)),
          text("@kmer:", std::max<std::int64_t>(nodes, 64))};
}

csr whole_matrix(const std::string& spec) { return generate<number>(spec, {.values = generated_values::integer}); }

/// y = A x + beta y as the order defines it.
std::vector<number> reference(const csr& a, const std::vector<number>& x, const summation::order& order, number beta,
                              const std::vector<number>& y) {
  std::vector<number> result(static_cast<std::size_t>(a.rows));
  const auto view = a.view();
  detail::parallel_rows(view.row_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      result[static_cast<std::size_t>(i)] = summation::combine(
          number(1),
          [&] { return summation::row_sum<number, column, number>(view, i, std::span<const number>(x), order); }, beta,
          [&] { return y[static_cast<std::size_t>(i)]; });
  });
  return result;
}

// What a product reads of a matrix: entries without their padding, and what says where they are.
using device::device_csr;
constexpr std::int64_t entry_bytes = sizeof(number) + sizeof(column);
std::int64_t bytes_of(const device_csr<number, column>& a) { return a.row_offsets.size() * 8 + a.nnz * entry_bytes; }
std::int64_t bytes_of(const device::device_coo<number, column>& a) {
  return a.nnz() * (entry_bytes + static_cast<std::int64_t>(sizeof(column)));
}
std::int64_t bytes_of(const device::device_ell<number, column>& a) {
  return a.row_lengths.size() * static_cast<std::int64_t>(sizeof(column)) + a.entries * entry_bytes;
}
std::int64_t bytes_of(const device::device_hyb<number, column>& a) { return bytes_of(a.ell) + bytes_of(a.coo); }
std::int64_t bytes_of(const device::device_jds<number, column>& a) {
  return a.permutation.size() * static_cast<std::int64_t>(sizeof(column)) + a.diagonal_offsets.size() * 8 +
         a.columns.size() * entry_bytes;
}
std::int64_t bytes_of(const device::device_sell<number, column>& a) {
  return 2 * a.rows * static_cast<std::int64_t>(sizeof(column)) + a.slice_offsets.size() * 8 + a.entries * entry_bytes;
}
std::int64_t bytes_of(const device::device_bsr<number, column>& a) {  // the mask tells entries from fill
  return a.row_offsets.size() * 8 + a.block_columns.size() * static_cast<std::int64_t>(sizeof(column)) + a.mask.size() +
         a.entries * static_cast<std::int64_t>(sizeof(number));
}

std::int64_t bytes_of(const device::spmv_plan<number, column>& plan, const device_csr<number, column>& a) {
  const std::int64_t stored = std::visit(
      [&](const auto& matrix) {
        if constexpr (std::is_same_v<std::decay_t<decltype(matrix)>, std::monostate>)
          return bytes_of(a);
        else
          return bytes_of(matrix);
      },
      plan.stored);
  const std::int64_t passes_over_y = device::facts_of(plan.method).update == spmv_update::add ? 2 : 1;
  return stored + plan.bins.chunks * 16 + (a.cols + passes_over_y * a.rows) * static_cast<std::int64_t>(sizeof(number));
}

/// Everything that takes part in the rounds of one subject.
class course {
 public:
  course(runtime& device, device_subject& subject) : device_(device), subject_(subject), watch_(device) {}

  /// A copy on the device that moves as many bytes.
  void add_copy(std::int64_t bytes) {
    const std::int64_t half = std::max<std::int64_t>(bytes / 2, 1);
    from_ = device_.zeros<std::uint8_t>(half);
    to_ = device_.allocate<std::uint8_t>(half);
    subject_.copied_bytes = 2 * half;
    add(subject_.copy_seconds,
        [this, half] { device_.copy(to_.data(), from_.data(), static_cast<std::size_t>(half), lacis_copy_on_device); });
  }
  void add(std::vector<double>& into, std::function<void()> work) {
    turns_.push_back({[this, work = std::move(work)] {
                        work();  // the clocks and the caches of the one before must not count
                        return watch_.time(work);
                      },
                      &into});
  }
  /// `ask` calls the library with so many repeats; it is left out, with its words, when it cannot do it.
  void add_peer(device_peer& peer, std::function<std::int32_t(int repeats, lacis_peer_result& result)> ask) {
    lacis_peer_result result{};
    if (const std::int32_t code = ask(1, result); code != 0) {
      peer.refused = device_.table().message(device_.table().state, code);
      return;
    }
    peer.library = result.library;
    peer.remark = result.remark;
    turns_.push_back({[this, ask = std::move(ask)] {
                        lacis_peer_result again{};
                        device_.check(ask(1, again));
                        return again.seconds;
                      },
                      &peer.seconds});
  }
  /// The processor: a run to warm up, then one that counts.
  void add_host(std::vector<double>& into, std::function<void()> work) {
    turns_.push_back({[work = std::move(work)] { return verification::host_seconds(work); }, &into});
  }
  void run(int rounds, const std::function<void(int)>& done) { verification::take_turns(turns_, rounds, done); }

 private:
  runtime& device_;
  device_subject& subject_;
  device_stopwatch watch_;
  device::device_array<std::uint8_t> from_;
  device::device_array<std::uint8_t> to_;
  std::vector<device_turn> turns_;
};

/// Compares with what the definition gives; nothing is left when they are the same.
void note_difference(device_time& time, std::span<const number> got, std::span<const number> expected) {
  time.fault = verification::difference<number>(got, expected, [](std::int64_t i) { return text("element ", i); });
  if (!time.fault.empty()) time.bits = device_bits::differ;
}

/// The operands of products on both sides, and the reference of the order asked for last.
struct product_operands {
  csr matrix;
  std::vector<number> x;        ///< every product with them rounds
  std::vector<number> whole_x;  ///< none does
  std::vector<number> before;   ///< y, for methods that add
  device_csr<number, column> device_matrix;
  device::device_array<number> device_x;
  device::device_array<number> device_whole_x;
  std::optional<summation::order> known;
  std::vector<number> sums;

  product_operands(runtime& device, csr given)
      : matrix(std::move(given)),
        x(full_numbers<number>(matrix.cols)),
        whole_x(whole_numbers<number>(matrix.cols, 1)),
        before(full_numbers<number>(matrix.rows, 9)),
        device_matrix(device::upload(device, matrix.view())),
        device_x(device.upload<number>(x)),
        device_whole_x(device.upload<number>(whole_x)) {}

  void check(runtime& device, const spmv_facts& facts, const device::spmv_plan<number, column>& plan,
             device_time& time) {
    const bool adds = facts.update == spmv_update::add;
    const auto y = device.upload<number>(adds ? before : std::vector<number>(before.size(), std::nan("")));
    const number beta = adds ? 1 : 0;
    const bool ordered = facts.order.has_value();
    device::spmv(device, plan, device_matrix, number(1), ordered ? device_x.data() : device_whole_x.data(), beta,
                 y.data());
    time.bits = ordered ? device_bits::ok : device_bits::whole;
    const auto got = device.download<number>(y);
    if (ordered && !adds) {
      if (known != facts.order) sums = reference(matrix, x, *facts.order, 0, before);
      known = facts.order;
      note_difference(time, got, sums);
    } else {
      const auto order = facts.order.value_or(summation::serial);
      note_difference(time, got, reference(matrix, ordered ? x : whole_x, order, beta, before));
    }
  }
};

using stage = std::function<void(std::string_view what, double share)>;

device_subject measure_products(runtime& device, const std::string& spec, const csr& matrix, int rounds,
                                const stage& report) {
  device_subject subject;
  subject.name = spec;
  subject.value_type = "double";
  product_operands operands(device, matrix);
  const auto& a = operands.device_matrix;
  subject.rows = a.rows;
  subject.entries = a.nnz;
  auto y = device.upload<number>(operands.before);
  course all(device, subject);
  const std::int64_t csr_bytes = storage_bytes(operands.matrix, matrix_format::csr);
  subject.times.reserve(device::all_spmv_methods.size());
  std::deque<device::spmv_plan<number, column>> plans;
  for (const spmv_facts& facts : device::all_spmv_methods) {
    report(text("checking ", spec), static_cast<double>(subject.times.size()) / device::all_spmv_methods.size() / 2);
    device_time& time = subject.times.emplace_back();
    time.name = facts.name;
    if (const std::int64_t bytes = storage_bytes(operands.matrix, facts.stored); bytes / most_padding > csr_bytes) {
      time.refused = text(name_of(facts.stored), " would take ", bytes / csr_bytes, " times the memory of csr");
      continue;
    }
    try {
      plans.push_back(device::plan_spmv(device, facts.method, a));
      for (int time_of = 0; facts.stored != matrix_format::csr && time_of < conversions; ++time_of) {
        plans.pop_back();
        time.conversion_seconds.push_back(
            device_stopwatch(device).time([&] { plans.push_back(device::plan_spmv(device, facts.method, a)); }));
      }
    } catch (const error& problem) {
      if (problem.code() != errc::out_of_memory) throw;
      time.refused = problem.what();
      continue;
    }
    const auto& plan = plans.back();
    operands.check(device, facts, plan, time);
    time.bytes = bytes_of(plan, a);
    const number beta = facts.update == spmv_update::add ? 1 : 0;
    all.add(time.seconds, [&device, &plan, &a, &operands, &y, beta] {
      device::spmv(device, plan, a, number(1), operands.device_x.data(), beta, y.data());
    });
  }
  std::vector<number> host_y(operands.before.size());
  std::deque<lacis::plan<number, column>> host_plans;
  subject.processor = verification::processor_rows();
  for (processor_time& row : subject.processor) {
    plan_options options{.threads = row.threads};
    if (row.threads == 1) options.layout = plan_layout::csr;
    host_plans.push_back(multiply_inspect(operands.matrix, options));
    row.name += ", " + host_plans.back().layout();
    row.bytes = host_plans.back().moved_bytes();
    all.add_host(row.seconds, [&plan = host_plans.back(), &operands, &host_y] { multiply(plan, operands.x, host_y); });
  }
  all.add_copy(csr_bytes + (a.cols + a.rows) * static_cast<std::int64_t>(sizeof(number)));
  device_peer& peer = subject.peers.emplace_back();
  peer.name = "cuSPARSE";
  const lacis_peer_csr given{
      a.rows,           a.cols,         a.nnz, lacis_value_double, sizeof(column), a.row_offsets.data(),
      a.columns.data(), a.values.data()};
  all.add_peer(peer, [&](int repeats, lacis_peer_result& result) {
    const lacis_runtime& table = device.table();
    return table.peer_spmv(table.state, &given, operands.device_x.data(), y.data(), repeats, device.stream(), &result);
  });
  all.run(rounds, [&](int done) { report(text("timing ", spec), 0.5 + 0.5 * done / rounds); });
  return subject;
}

device_subject measure_vectors(runtime& device, std::int64_t count, int rounds, const stage& report) {
  device_subject subject;
  subject.name = "vectors";
  subject.value_type = "double";
  subject.rows = count;
  report("checking vectors", 0);
  const auto x = full_numbers<number>(count, 3);
  auto y = full_numbers<number>(count, 4);
  const auto device_x = device.upload<number>(x);
  const auto device_y = device.upload<number>(y);
  device::vector_sums<number> sums(device, count);
  course all(device, subject);
  const std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(number));
  struct operation {
    const char* name;
    const char* peer;
    std::int64_t passes;  ///< over vectors, to read or to write
    lacis_peer_operation code;
  };
  constexpr operation operations[] = {{"dot", "cuBLAS dot", 2, lacis_peer_dot},
                                      {"norm", "cuBLAS nrm2", 1, lacis_peer_norm},
                                      {"axpy", "cuBLAS axpy", 3, lacis_peer_axpy}};
  for (const operation& each : operations) {
    device_time& time = subject.times.emplace_back();
    time.name = each.name;
    time.bytes = each.passes * bytes;
    time.peer = static_cast<int>(subject.peers.size());
    subject.peers.emplace_back().name = each.peer;
  }

  const number dot[] = {sums.dotc(count, device_x.data(), device_y.data())};
  const number expected_dot[] = {summation::dotc<number, number>(x, y)};
  note_difference(subject.times[0], dot, expected_dot);
  const number norm[] = {sums.norm(count, device_x.data())};
  const number expected_norm[] = {summation::norm<number>(x)};
  note_difference(subject.times[1], norm, expected_norm);
  device::axpby<number>(device, count, 1, device_x.data(), 1, device_y.data());
  summation::axpby<number, number>(1, x, 1, y);
  note_difference(subject.times[2], device.download<number>(device_y), y);

  all.add(subject.times[0].seconds, [&] { static_cast<void>(sums.dotc(count, device_x.data(), device_y.data())); });
  all.add(subject.times[1].seconds, [&] { static_cast<void>(sums.norm(count, device_x.data())); });
  all.add(subject.times[2].seconds,
          [&] { device::axpby<number>(device, count, 1, device_x.data(), 1, device_y.data()); });
  all.add_copy(2 * bytes);
  for (std::size_t i = 0; i < subject.peers.size(); ++i)
    all.add_peer(subject.peers[i], [&, code = operations[i].code](int repeats, lacis_peer_result& result) {
      const lacis_runtime& table = device.table();
      return table.peer_vector(table.state, code, lacis_value_double, count, device_x.data(), device_y.data(), repeats,
                               device.stream(), &result);
    });
  all.run(rounds, [&](int done) { report("timing vectors", 0.5 + 0.5 * done / rounds); });
  return subject;
}

}  // namespace

device_measurements measure_device(device_id device, const device_measure_options& options) {
  if (options.rounds < 1) throw error(errc::invalid_argument, "measure_device needs at least one round");
  const std::shared_ptr<device::core> opened = device::core_of(device);
  const device::visit here(*opened);
  device_measurements all;
  all.device = device;
  all.found = look_for(device);
  all.rounds = options.rounds;
  runtime on_device(opened->table());
  const std::int64_t bytes = matrix_bytes(all, options);
  auto matrices = options.matrices;
  if (matrices.empty())
    for (const std::string& spec : specs_for(bytes)) matrices.emplace_back(spec, whole_matrix(spec));
  const auto subjects = static_cast<double>(matrices.size() + 2);
  const stage report = [&](std::string_view what, double share) {
    if (options.progress) options.progress(what, (static_cast<double>(all.subjects.size()) + share) / subjects);
  };
  for (const auto& [name, matrix] : matrices)
    all.subjects.push_back(measure_products(on_device, name, matrix, options.rounds, report));
  if (options.matrices.empty()) {
    matrices.clear();
    for (const std::string& spec : specs_for(bytes / share_of_products))
      matrices.emplace_back(spec, whole_matrix(spec));
  }
  report("sparse products", 0);
  for (const auto& [name, matrix] : matrices)
    if (matrix.rows == matrix.cols)
      all.sparse_products.push_back(verification::measure_square(on_device, name, matrix, options.rounds));
  all.subjects.push_back(
      measure_vectors(on_device, bytes / (2 * static_cast<std::int64_t>(sizeof(number))), options.rounds, report));
  return all;
}

}  // namespace lacis
