# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""lacis as a backend of NetworkX: nx.pagerank(G, backend='lacis').

Converting a graph of NetworkX to arrays takes longer than ranking it; the conversion is cached by NetworkX, so the second call is the fast one.
Weights are not used by lacis's PageRank, so graphs with weights are left to NetworkX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._types import Array

# NetworkX chooses this backend by itself only from this number of edges on.
EDGES = 100_000


class Graph:
    """A graph as CSR arrays, with the names of its nodes."""

    __networkx_backend__ = "lacis"

    def __init__(self, nodes: list[Any], indptr: Array, indices: Array, directed: bool, weighted: bool) -> None:
        self.nodes = nodes
        self.indptr = indptr
        self.indices = indices
        self.directed = directed
        self.weighted = weighted

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return False

    def __len__(self) -> int:
        return len(self.nodes)

    def number_of_edges(self) -> int:
        return len(self.indices) if self.directed else len(self.indices) // 2


def get_info() -> dict[str, Any]:
    """What NetworkX reads at the entry point networkx.backend_info."""
    return {
        "backend_name": "lacis",
        "project": "lacis",
        "package": "lacis",
        "short_summary": "PageRank of unweighted graphs on all cores, the same bits on any number of threads",
        "functions": {"pagerank": {"additional_docs": "Weighted graphs, nstart and dangling are left to NetworkX."}},
    }


def _arrays(graph, weight):
    nodes = list(graph)
    number = {node: i for i, node in enumerate(nodes)}
    lengths = np.fromiter((len(graph._adj[node]) for node in nodes), dtype=np.int64, count=len(nodes))
    indptr = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.cumsum(lengths, out=indptr[1:])
    kind = np.int32 if len(nodes) < 2**31 else np.int64
    indices = np.fromiter((number[v] for node in nodes for v in graph._adj[node]), dtype=kind, count=int(indptr[-1]))
    weighted = weight is not None and any(weight in data for node in nodes for data in graph._adj[node].values())
    return nodes, indptr, indices, weighted


class Backend:
    """The functions that NetworkX calls."""

    @staticmethod
    def convert_from_nx(graph: Any, *args: Any, edge_attrs: Any = None, weight: str | None = None, **kwargs: Any) -> Graph:
        if isinstance(graph, Graph):
            return graph
        names = list(edge_attrs) if edge_attrs else [weight or "weight"]
        nodes, indptr, indices, weighted = _arrays(graph, names[0])
        return Graph(nodes, indptr, indices, graph.is_directed(), weighted or graph.is_multigraph())

    @staticmethod
    def convert_to_nx(result: Any, **kwargs: Any) -> Any:
        if not isinstance(result, Graph):
            return result
        import networkx as nx

        graph = nx.DiGraph() if result.directed else nx.Graph()
        graph.add_nodes_from(result.nodes)
        for i, node in enumerate(result.nodes):
            graph.add_edges_from((node, result.nodes[j]) for j in result.indices[result.indptr[i] : result.indptr[i + 1]])
        return graph

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        if name != "pagerank":
            return False
        graph = args[0] if args else kwargs.get("G")
        names = ("G", "alpha", "personalization", "max_iter", "tol", "nstart", "weight", "dangling")
        given = {**dict(zip(names, args)), **kwargs}
        if given.get("nstart") is not None or given.get("dangling") is not None:
            return "nstart and dangling are not supported"
        if graph.is_multigraph():
            return "several edges between two nodes count as weights, which are not used"
        if given.get("weight", "weight") is not None and isinstance(graph, Graph) and graph.weighted:
            return "weights are not used"
        return True

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        graph = args[0] if args else kwargs.get("G")
        return graph.number_of_edges() >= EDGES or f"fewer than {EDGES:,} edges"

    @staticmethod
    def pagerank(
        G: Graph,
        alpha: float = 0.85,
        personalization: Any = None,
        max_iter: int = 100,
        tol: float = 1e-6,
        nstart: Any = None,
        weight: str | None = "weight",
        dangling: Any = None,
        **kwargs: Any,
    ) -> dict[Any, float]:
        import networkx as nx

        from . import _core

        if nstart is not None or dangling is not None:
            raise NotImplementedError("lacis's pagerank has no nstart and no dangling: call NetworkX's with backend='networkx'")
        if weight is not None and G.weighted:
            raise NotImplementedError("lacis's pagerank does not use weights: pass weight=None, or call with backend='networkx'")
        count = len(G.nodes)
        if count == 0:
            return {}
        weights = None
        if personalization:
            weights = np.array([personalization.get(node, 0) for node in G.nodes], dtype=np.float64)
            if not weights.any():
                raise ZeroDivisionError
        parts = (0, count, count, G.indptr, G.indices, np.ones(len(G.indices), dtype=np.float32))
        # NetworkX stops at a change of tol per node.
        ranks, _, _, converged, _, _ = _core.pagerank(parts, float(alpha), float(tol) * count, int(max_iter), weights, -1, None)
        if not converged:
            raise nx.PowerIterationFailedConvergence(max_iter)
        return dict(zip(G.nodes, map(float, ranks)))


backend: Backend = Backend()
