// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients on a GPU, or under the host executor where there is none: vectors stay on the device, two numbers
// per iteration come back. Every residual has the bits that the processor computes.
#include <cmath>
#include <cstdio>
#include <vector>

#include <lacis/lacis.hpp>

namespace {

/// The residuals of the first iterations for A x = b from x = 0 (Saad, algorithm 6.18). Vectors are of the device or in
/// host memory; `stream...` is the device's stream, or nothing.
template <class Plan, class Vector, class... Stream>
std::vector<double> residuals(const Plan& plan, Vector x, Vector r, Vector p, Vector q, int iterations,
                              const Stream&... stream) {
  std::vector<double> all;
  double rho = lacis::dot(r, r, stream...);
  for (int k = 0; k < iterations; ++k) {
    lacis::multiply(plan, p, q, stream...);  // q = A p
    const double alpha = rho / lacis::dot(p, q, stream...);
    lacis::axpy(alpha, p, x, stream...);
    lacis::axpy(-alpha, q, r, stream...);
    const double rho_new = lacis::dot(r, r, stream...);
    lacis::axpby(1.0, r, rho_new / rho, p, stream...);  // p = r + beta p
    rho = rho_new;
    all.push_back(std::sqrt(rho));
  }
  return all;
}

}  // namespace

int main() {
  using namespace lacis::devices;
  const lacis::device_id device = lacis::look_for(cuda(0)).ready() ? cuda(0) : simt();
  const auto a = lacis::generate<double>("@poisson2d:20");
  const std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0);
  const std::vector<double> zero(b.size(), 0.0);

  const lacis::device_context gpu(device);
  const lacis::device_stream s(gpu);
  const auto on_device = [&](const std::vector<double>& host) { return lacis::device_vector<double>(gpu, host); };
  const auto there = residuals(lacis::multiply_inspect(a, {.device = device}), on_device(zero), on_device(b),
                               on_device(b), on_device(zero), 20, s);
  const auto here = residuals(lacis::multiply_inspect(a), zero, b, b, zero, 20);
  for (const std::size_t k : {0, 9, 19}) std::printf("%3zu  |r| = %.15e\n", k + 1, there[k]);
  std::printf("%s and the processor: %s\n", lacis::name_of(device).c_str(),
              there == here ? "the same residuals" : "never printed");

  // The library's own checks the true residual at the end; it takes and gives vectors in host memory.
  std::vector<double> x = zero;
  const auto report = lacis::cg(lacis::multiply_inspect(a, {.device = device}), b, x, {.tolerance = 1e-8});
  std::printf("lacis::cg: %s\n", report.reason.c_str());
  return report.converged() ? 0 : 1;
}
