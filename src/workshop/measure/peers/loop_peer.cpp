// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients as a user of MKL writes them: its product, and vectors in OpenMP loops. For peer_cg.py, which
// hands over the function and the matrix.
#include <cstdint>

namespace {

struct description {
  int type;
  int mode;
  int diagonal;
};
using product_function = int (*)(int operation, double alpha, void* a, description about, const double* x, double beta,
                                 double* y);

constexpr int non_transpose = 10;
constexpr int general = 20;

}  // namespace

extern "C" int conjugate_gradients(product_function product, void* a, std::int64_t rows, const double* b, double* x,
                                   double* r, double* p, double* q, std::int64_t steps) {
  double square = 0;
#pragma omp parallel for simd reduction(+ : square)
  for (std::int64_t i = 0; i < rows; ++i) {
    x[i] = 0;
    p[i] = r[i] = b[i];
    square += r[i] * r[i];
  }
  for (std::int64_t step = 0; step < steps; ++step) {
    const int status = product(non_transpose, 1, a, {general, 0, 0}, p, 0, q);
    if (status != 0) return status;
    double curvature = 0;
#pragma omp parallel for simd reduction(+ : curvature)
    for (std::int64_t i = 0; i < rows; ++i) curvature += p[i] * q[i];
    const double alpha = square / curvature;
    double next = 0;
#pragma omp parallel for simd reduction(+ : next)
    for (std::int64_t i = 0; i < rows; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      next += r[i] * r[i];
    }
    const double beta = next / square;
    square = next;
#pragma omp parallel for simd
    for (std::int64_t i = 0; i < rows; ++i) p[i] = r[i] + beta * p[i];
  }
  return 0;
}
