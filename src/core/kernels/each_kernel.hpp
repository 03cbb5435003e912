// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every kernel of a header's list with every pair of types that it is compiled for.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// visitor.template add<Kernel>() for each of the kernels with these types.
template <class Value, class Index, template <class, class, class> class... Kernels, class Visitor>
void visit_types([[maybe_unused]] Visitor& visitor) {
  (visitor.template add<Kernels<simt::raw_memory, Value, Index>>(), ...);
}

template <template <class, class, class> class... Kernels, class Visitor>
void each_kernel(kernel_list<Kernels...>, Visitor& visitor) {
  using simt::complex_number;
  visit_types<float, int32_t, Kernels...>(visitor);
  visit_types<float, int64_t, Kernels...>(visitor);
  visit_types<double, int32_t, Kernels...>(visitor);
  visit_types<double, int64_t, Kernels...>(visitor);
  visit_types<complex_number<float>, int32_t, Kernels...>(visitor);
  visit_types<complex_number<float>, int64_t, Kernels...>(visitor);
  visit_types<complex_number<double>, int32_t, Kernels...>(visitor);
  visit_types<complex_number<double>, int64_t, Kernels...>(visitor);
}
template <template <class, class, class> class... Kernels, class Visitor>
void each_kernel(value_kernel_list<Kernels...>, Visitor& visitor) {
  using simt::complex_number;
  visit_types<float, simt::none, Kernels...>(visitor);
  visit_types<double, simt::none, Kernels...>(visitor);
  visit_types<complex_number<float>, simt::none, Kernels...>(visitor);
  visit_types<complex_number<double>, simt::none, Kernels...>(visitor);
}
template <template <class, class, class> class... Kernels, class Visitor>
void each_kernel(index_kernel_list<Kernels...>, Visitor& visitor) {
  visit_types<simt::none, int32_t, Kernels...>(visitor);
  visit_types<simt::none, int64_t, Kernels...>(visitor);
}
template <template <class, class, class> class... Kernels, class Visitor>
void each_kernel(plain_kernel_list<Kernels...>, Visitor& visitor) {
  visit_types<simt::none, simt::none, Kernels...>(visitor);
}
template <class... Lists, class Visitor> void each_kernel(kernel_lists<Lists...>, Visitor& visitor) {
  (each_kernel(Lists{}, visitor), ...);
}

}  // namespace lacis::kernels
