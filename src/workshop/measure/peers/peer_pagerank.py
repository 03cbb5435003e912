# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Power iterations of PageRank in double from even ranks, damping 0.85, one class a library: load, iterate, ranks. Row i
of the file's matrix has the pages that link to page i, its vector how many links each page has. One iteration is a product,
the new ranks with what pages without links lose, and how much changed in all."""

import time

import numpy as np

from peer_libraries import Graphblas, Scipy

DAMPING = 0.85


class Pagerank:
    """What the protocol asks of a peer, over start, iterate and ranks."""

    def steps(self, count):
        self.count = count
        return ""

    def product(self, path):
        self.start()
        for _ in range(self.count):
            self.iterate()
        self.ranks().tofile(path)
        return ""

    def run(self, times):
        seconds = 0
        for _ in range(times):
            self.start()
            begin = time.perf_counter()
            for _ in range(self.count):
                self.iterate()
            seconds += time.perf_counter() - begin
        return seconds / (times * self.count)


class ScipyPagerank(Scipy, Pagerank):
    def load(self, m):
        self.a, self.pages = self.matrix(m), m.rows
        self.dangling = np.flatnonzero(m.x == 0)
        self.share = np.divide(1.0, m.x, out=np.zeros(m.rows), where=m.x > 0)
        return "csr"

    def start(self):
        self.rank = np.full(self.pages, 1 / self.pages)

    def iterate(self):
        even = (DAMPING * self.rank[self.dangling].sum() + 1 - DAMPING) / self.pages
        new = DAMPING * (self.a @ (self.rank * self.share)) + even
        self.change = np.abs(new - self.rank).sum()
        self.rank = new

    def ranks(self):
        return self.rank


class GraphblasPagerank(Graphblas, Pagerank):
    def load(self, m):
        ffi, lib = self.ffi, self.lib
        self.use_numbers(np.dtype(np.float64))
        self.pages, self.a = m.rows, self.matrix(m)
        self.divisor, self.sink, self.rank, self.new, self.gift = (ffi.new("GrB_Vector*") for _ in range(5))
        for vector in (self.divisor, self.sink, self.rank, self.new, self.gift):
            self.check(lib.GrB_Vector_new(vector, self.type, m.rows))
        places = np.flatnonzero(m.x > 0).astype(np.uint64)
        scaled = m.x[m.x > 0] / DAMPING
        self.check(lib.GrB_Vector_build_FP64(
            self.divisor[0], self.indices(places), self.numbers(scaled), len(places), self.first))
        sinks = np.flatnonzero(m.x == 0).astype(np.uint64)
        ones = np.ones(len(sinks))
        self.check(lib.GrB_Vector_build_FP64(
            self.sink[0], self.indices(sinks), self.numbers(ones), len(sinks), self.first))
        self.number = ffi.new("double*")
        return "iso" if m.iso else "csr"

    def fill(self, vector, value):
        self.check(self.lib.GrB_Vector_assign_FP64(
            vector[0], self.ffi.NULL, self.ffi.NULL, value, self.lib.GrB_ALL, self.pages, self.ffi.NULL))

    def sum(self, vector):
        self.check(self.lib.GrB_Vector_reduce_FP64(
            self.number, self.ffi.NULL, self.lib.GrB_PLUS_MONOID_FP64, vector[0], self.ffi.NULL))
        return self.number[0]

    def start(self):
        self.fill(self.rank, 1 / self.pages)

    def iterate(self):
        lib, null = self.lib, self.ffi.NULL
        self.check(lib.GrB_Vector_eWiseMult_BinaryOp(
            self.gift[0], null, null, lib.GrB_TIMES_FP64, self.rank[0], self.sink[0], lib.GrB_DESC_R))
        even = (DAMPING * self.sum(self.gift) + 1 - DAMPING) / self.pages
        self.check(lib.GrB_Vector_eWiseMult_BinaryOp(
            self.gift[0], null, null, lib.GrB_DIV_FP64, self.rank[0], self.divisor[0], lib.GrB_DESC_R))
        self.fill(self.new, even)
        self.check(lib.GrB_mxv(
            self.new[0], null, lib.GrB_PLUS_FP64, lib.GxB_PLUS_SECOND_FP64, self.a[0], self.gift[0], null))
        self.check(lib.GrB_Vector_eWiseAdd_BinaryOp(
            self.rank[0], null, null, lib.GrB_MINUS_FP64, self.rank[0], self.new[0], null))
        self.check(lib.GrB_Vector_apply(self.rank[0], null, null, lib.GrB_ABS_FP64, self.rank[0], null))
        self.change = self.sum(self.rank)
        self.rank, self.new = self.new, self.rank

    def ranks(self):
        count = self.ffi.new("GrB_Index*", self.pages)
        places, ranks = np.zeros(self.pages, np.uint64), np.zeros(self.pages)
        self.check(self.lib.GrB_Vector_extractTuples_FP64(
            self.indices(places), self.numbers(ranks), count, self.rank[0]))
        return ranks


PEERS = {"pagerank": {"graphblas": GraphblasPagerank, "scipy": ScipyPagerank}}
