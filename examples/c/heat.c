/* SPDX-FileCopyrightText: The lacis authors
   SPDX-License-Identifier: Apache-2.0
   A rod that is heated at one end, in C: a tridiagonal system in three arrays, multiplied and solved.
   cc heat.c $(pkg-config --cflags --libs lacis) && ./a.out */
#include <stdio.h>
#include <stdlib.h>

#include <lacis/lacis.h>

enum { points = 100 };

static void check(lacis_status status) {
  if (status == LACIS_OK) return;
  fprintf(stderr, "%s: %s\n", lacis_status_name(status), lacis_last_error());
  exit(1);
}

int main(void) {
  int offsets[points + 1];
  int columns[3 * points];
  double values[3 * points];
  int next = 0;
  for (int i = 0; i < points; ++i) {
    offsets[i] = next;
    for (int j = i - 1; j <= i + 1; ++j) {
      if (j < 0 || j >= points) continue;
      columns[next] = j;
      values[next++] = i == j ? 2 : -1;
    }
  }
  offsets[points] = next;

  lacis_view a = LACIS_INIT(lacis_view);
  a.format = LACIS_CSR;
  a.type = LACIS_FLOAT64;
  a.offset_bits = a.index_bits = 32;
  a.rows = a.cols = points;
  a.nnz = next;
  a.offsets = offsets;
  a.indices = columns;
  a.values = values;

  double heat[points] = {100};
  double temperature[points] = {0};
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  check(lacis_solve(&a, NULL, heat, temperature, NULL, &report));
  printf("%s: %s\n", report.method, report.reason);
  printf("first point %.2f, middle %.2f, last %.2f\n", temperature[0], temperature[points / 2],
         temperature[points - 1]);

  lacis_plan* plan = NULL;
  check(lacis_plan_make(&a, NULL, &plan));
  double again[points];
  check(lacis_plan_multiply(plan, LACIS_FLOAT64, temperature, again, NULL));
  printf("A x begins with %.2f; %s\n", again[0], lacis_plan_explain(plan));
  lacis_plan_free(plan);
  return report.outcome == LACIS_SOLVE_CONVERGED ? 0 : 1;
}
