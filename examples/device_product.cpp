// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A product on a GPU, or under the host executor where there is none, beside the same product on the processor.
#include <iostream>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  using namespace lacis::devices;
  const lacis::device_report found = lacis::look_for(cuda(0));
  if (!found.ready()) std::cout << found.problem << "; " << found.advice << '\n';
  const lacis::device_id device = found.ready() ? cuda(0) : simt();

  const auto a = lacis::generate<double>("@poisson2d:30");
  const std::vector<double> x(static_cast<std::size_t>(a.cols), 0.1);

  const lacis::device_context gpu(device);
  const auto plan = lacis::multiply_inspect(a, {.device = device});  // the matrix is on the device from now on
  const lacis::device_stream s(gpu);
  const lacis::device_vector<double> there_x(gpu, x);
  lacis::device_vector<double> there_y(gpu, a.rows);
  lacis::multiply(plan, there_x, there_y, s);     // returns at once, allocates nothing
  lacis::axpby(-0.5, there_x, 2.0, there_y, s);   // after the product: one stream
  const double length = lacis::norm(there_y, s);  // waits for its result
  const std::vector<double> y = there_y.to_host(s);

  std::vector<double> z(x.size());
  lacis::multiply(a, x, z);
  lacis::axpby(-0.5, x, 2.0, z);
  std::cout << plan.explain() << '\n'
            << lacis::name_of(device)
            << " and the processor: " << (y == z && length == lacis::norm(z) ? "the same bits" : "never printed")
            << '\n';
}
