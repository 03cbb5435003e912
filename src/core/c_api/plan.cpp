// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Plans, in C.
#include <lacis/plan.hpp>

#include "c_api/objects.hpp"
#include "c_api/operands.hpp"

using namespace lacis;
using namespace lacis::c_api;

namespace {

plan_layout layout_named(std::string_view name) {
  for (const plan_layout layout : plan_layouts)
    if (name_of(layout) == name) return layout;
  std::string known;
  for (const plan_layout layout : plan_layouts) known += detail::text(known.empty() ? "" : ", ", name_of(layout));
  throw error(errc::invalid_argument, detail::text("there is no plan layout \"", name, "\"; there are ", known));
}

plan_options options_of(const lacis_plan_options* given) {
  const lacis_plan_options all = read_struct(given, "lacis_plan_options");
  require(all.threads >= 0, "threads of lacis_plan_options is not negative");
  plan_options options;
  if (all.expected_uses != 0) options.expected_uses = all.expected_uses;
  options.memory_limit = all.memory_limit;
  options.threads = all.threads;
  options.transpose = all.transpose != 0;
  options.conjugate_transpose = all.conjugate_transpose != 0;
  options.tune = all.tune != 0;
  options.borrow = all.borrow != 0;
  if (all.layout != nullptr) options.layout = layout_named(all.layout);
  if (all.device != nullptr) options.device = device_named(all.device);
  return options;
}

template <class Operands>
void multiply_plan(const lacis_plan& p, const lacis_product_options& o, Operands&& with_operands) {
  std::visit(
      [&]<class Value, class Index>(const plan<Value, Index>& typed) {
        const plan_side<Value, Index> sides[] = {
            {typed, side::plain}, {typed, side::transposed}, {typed, side::conjugate_transposed}};
        const auto& matrix = sides[o.transpose];
        const std::int64_t rows = o.transpose == 0 ? typed.rows() : typed.cols();
        const std::int64_t cols = o.transpose == 0 ? typed.cols() : typed.rows();
        with_operands(Value{}, rows, cols, [&](const auto& x, const auto& y) {
          using T = detail::element_of<decltype(y)>;
          auto memory = detail::take_workspace(typed);
          multiply(number<T>(o.alpha, 1), matrix, x, number<T>(o.beta, 0), y, *memory);
          detail::put_back(typed, std::move(memory));
        });
      },
      p.typed);
}

}  // namespace

lacis_status lacis_plan_make(const lacis_view* a, const lacis_plan_options* options, lacis_plan** made) {
  return guarded([&] {
    required(made, "plan");
    plan_options wanted = options_of(options);
    if (required(a, "view").format != LACIS_CSR) wanted.borrow = false;  // its rows are made here
    with_csr(checked_view(a), [&](const auto& rows) {
      wanted.threads = threads_at_most(wanted.threads, rows.rows + rows.nnz());
      auto typed = multiply_inspect(rows, wanted);
      std::string layout = typed.layout();
      std::string reason = typed.explain();
      give(made, std::move(typed), std::move(layout), std::move(reason));
    });
  });
}

lacis_status lacis_plan_get_facts(const lacis_plan* plan, lacis_plan_facts* facts) {
  return guarded([&] {
    std::visit(
        [&]<class Value, class Index>(const lacis::plan<Value, Index>& typed) {
          lacis_plan_facts all = LACIS_INIT(lacis_plan_facts);
          all.type = type_of<Value>;
          all.index_bits = 8 * sizeof(Index);
          all.rows = typed.rows();
          all.cols = typed.cols();
          all.nnz = typed.nnz();
          all.storage_bytes = typed.storage_bytes();
          all.moved_bytes = typed.moved_bytes();
          all.layout = plan->layout.c_str();
          write_struct(all, facts, "lacis_plan_facts");
        },
        required(plan, "plan").typed);
  });
}

int64_t lacis_plan_candidates(const lacis_plan* plan) {
  if (plan == nullptr) return 0;
  return std::visit([](const auto& typed) { return static_cast<int64_t>(typed.report().candidates.size()); },
                    plan->typed);
}

lacis_status lacis_plan_get_candidate(const lacis_plan* plan, int64_t k, lacis_plan_candidate* candidate) {
  return guarded([&] {
    const int64_t count = lacis_plan_candidates(&required(plan, "plan"));
    if (k < 0 || k >= count)
      throw error(errc::invalid_argument, detail::text("there is no candidate ", k, ": the plan has ", count));
    std::visit(
        [&](const auto& typed) {
          const plan_candidate& c = typed.report().candidates[static_cast<std::size_t>(k)];
          lacis_plan_candidate all = LACIS_INIT(lacis_plan_candidate);
          all.layout = c.layout.c_str();
          all.values = c.values.c_str();
          all.limit = c.limit.c_str();
          all.storage_bytes = c.storage_bytes;
          all.moved_bytes = c.moved_bytes;
          all.seconds = c.seconds;
          all.conversion_seconds = c.conversion_seconds;
          all.measured_seconds = c.measured_seconds.value_or(-1);
          all.fits = c.fits ? 1 : 0;
          all.chosen = c.chosen ? 1 : 0;
          write_struct(all, candidate, "lacis_plan_candidate");
        },
        plan->typed);
  });
}

const char* lacis_plan_explain(const lacis_plan* plan) { return plan == nullptr ? "" : plan->reason.c_str(); }

lacis_status lacis_plan_multiply(const lacis_plan* plan, lacis_type x_type, const void* x, void* y,
                                 const lacis_product_options* options) {
  return guarded([&] { multiply_plan(required(plan, "plan"), checked_options(options), vectors(x_type, x, y)); });
}

lacis_status lacis_plan_multiply_dense(const lacis_plan* plan, const lacis_dense* x, const lacis_dense* y,
                                       const lacis_product_options* options) {
  return guarded([&] { multiply_plan(required(plan, "plan"), checked_options(options), columns(x, y)); });
}

lacis_status lacis_plan_update(lacis_plan* plan, const void* values, int64_t count) {
  return guarded([&] {
    require(count >= 0 && (values != nullptr || count == 0), "values is NULL, or their count is negative");
    std::visit(
        [&]<class Value, class Index>(lacis::plan<Value, Index>& typed) {
          update_values(typed, std::span(static_cast<const Value*>(values), static_cast<std::size_t>(count)));
          plan->reason = typed.explain();
        },
        required(plan, "plan").typed);
  });
}

void lacis_plan_free(lacis_plan* plan) { delete plan; }
