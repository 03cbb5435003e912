// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The exchange of a grid in slabs with nothing but MPI: what `lacis spmv @poisson3d:N --mpi` moves, for comparison.
//
//     mpirun -n 2 bench_bare_exchange 200
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  const int n = count > 1 ? std::atoi(arguments[1]) : 200;
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // A plane of the grid to each neighbour, from a vector of the size of a slab and into room around it.
  const int plane = n * n;
  const std::size_t slab =
      static_cast<std::size_t>(n) * static_cast<std::size_t>(plane) / static_cast<std::size_t>(size);
  std::vector<double> x(slab + 2 * static_cast<std::size_t>(plane), 1.0);
  std::vector<MPI_Request> requests;
  const auto add = [&](int other, double* to, double* from) {
    if (other < 0 || other >= size) return;
    requests.resize(requests.size() + 2);
    MPI_Recv_init(to, plane, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[requests.size() - 2]);
    MPI_Send_init(from, plane, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests.back());
  };
  add(rank - 1, x.data(), x.data() + plane);
  add(rank + 1, x.data() + plane + slab, x.data() + slab);
  std::vector<double> times;
  for (int round = 0; round < 400; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = -MPI_Wtime();
    if (!requests.empty()) MPI_Startall(static_cast<int>(requests.size()), requests.data());
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    seconds += MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (round >= 20) times.push_back(seconds);
  }
  std::sort(times.begin(), times.end());
  if (rank == 0)
    std::printf("%d processes, messages of %d bytes: median %.3f us, a tenth below %.3f, a tenth above %.3f\n", size,
                plane * 8, 1e6 * times[times.size() / 2], 1e6 * times[times.size() / 10],
                1e6 * times[times.size() * 9 / 10]);
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  MPI_Finalize();
}
