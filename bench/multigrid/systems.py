# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The systems that multigrid is measured with."""

import numpy as np
import scipy.sparse as sp


def second_difference(n):
    return sp.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1])


def grid(*axes):
    """The sum over axes of identity x ... x axis x ... x identity."""
    total = None
    for k, axis in enumerate(axes):
        term = axis
        for other in reversed(axes[:k]):
            term = sp.kron(sp.eye_array(other.shape[0]), term)
        for other in axes[k + 1:]:
            term = sp.kron(term, sp.eye_array(other.shape[0]))
        total = term if total is None else total + term
    return total


def graded_axis(widths):
    """Finite volumes of these widths in one dimension, zero at both ends: the flux matrix and the volumes."""
    n = len(widths)
    distance = np.concatenate([[widths[0] / 2], (widths[1:] + widths[:-1]) / 2, [widths[-1] / 2]])
    flux = 1 / distance
    return sp.diags_array([-flux[1:n], flux[:n] + flux[1:], -flux[1:n]], offsets=[-1, 0, 1]), sp.diags_array(widths)


def graded(*widths):
    """Finite volumes on a grid whose lines are graded: flux along each axis times the face, which is made of the others."""
    parts = [graded_axis(w) for w in widths]
    total = None
    for k in range(len(parts)):
        term = None
        for j, (flux, volume) in enumerate(parts):
            factor = flux if j == k else volume
            term = factor if term is None else sp.kron(term, factor)
        total = term if total is None else total + term
    return total


def jumps(n, high):
    """Cells of two conductivities in blocks of 10^3, chosen at random; fluxes by harmonic means, zero all round."""
    blocks = np.random.default_rng(3).random((n // 10,) * 3) < 0.5
    k = np.where(np.kron(blocks, np.ones((10, 10, 10))) > 0, high, 1.0)
    cell = np.arange(n**3).reshape(k.shape)
    rows, cols, values = [], [], []
    diagonal = np.zeros(k.shape)
    for axis in range(3):
        low, up = np.take(k, range(n - 1), axis), np.take(k, range(1, n), axis)
        flux = 2 * low * up / (low + up)
        i, j = np.take(cell, range(n - 1), axis).ravel(), np.take(cell, range(1, n), axis).ravel()
        rows += [i, j]
        cols += [j, i]
        values += [-flux.ravel()] * 2
        pad = [(0, 0)] * 3
        pad[axis] = (0, 1)
        diagonal += np.pad(flux, pad)
        pad[axis] = (1, 0)
        diagonal += np.pad(flux, pad)
        for end in (0, n - 1):
            where = [slice(None)] * 3
            where[axis] = end
            diagonal[tuple(where)] += 2 * k[tuple(where)]
    a = sp.coo_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))), shape=(n**3, n**3))
    return a + sp.diags_array(diagonal.ravel())


def tetrahedra(n):
    """Linear elements on the Delaunay tetrahedra of a jittered grid, inner points in random order: many positive entries beside the diagonal."""
    from scipy.spatial import Delaunay

    draw = np.random.default_rng(1)
    points = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), -1).reshape(-1, 3).astype(float)
    inner = np.all((points > 0) & (points < n - 1), axis=1)
    points += draw.uniform(-0.35, 0.35, points.shape) * inner[:, None] + draw.uniform(-1e-6, 1e-6, points.shape) * ~inner[:, None]
    cells = Delaunay(points).simplices
    edges = points[cells[:, 1:]] - points[cells[:, :1]]
    volume = np.linalg.det(edges)
    whole = np.abs(volume) > 1e-3
    cells, edges, volume = cells[whole], edges[whole], np.abs(volume[whole]) / 6
    gradient = np.linalg.inv(edges)
    gradient = np.concatenate([-gradient.sum(2, keepdims=True), gradient], 2)
    element = np.einsum("cia,cib,c->cab", gradient, gradient, volume)
    a = sp.coo_array((element.ravel(), (np.repeat(cells, 4, axis=1).ravel(), np.tile(cells, 4).ravel())), shape=(n**3,) * 2).tocsr()
    order = draw.permutation(np.flatnonzero(inner))
    a = a[order][:, order]
    return (a + a.T) / 2


def box27(n):
    near = sp.diags_array([np.ones(n - 1), np.ones(n), np.ones(n - 1)], offsets=[-1, 0, 1])
    return 27 * sp.eye_array(n**3) - sp.kron(sp.kron(near, near), near)


def mesh(generated):
    """A triangulated volume from lacis' generator; rows of vertices with fewer neighbours than most are grounded by what they lack."""
    a = generated.tocsr().astype(float)
    degree = a.diagonal() - 1
    usual = np.bincount(degree.astype(int)).argmax()
    return a + sp.diags_array(np.maximum(usual - degree, 0) - 1)


def upwind(n, winds):
    """Convection by first-order upwind differences, diffusion by central ones; winds relative to diffusion over the mesh width."""
    axes = []
    for wind in winds:
        down = sp.diags_array([-np.ones(n - 1), np.ones(n)], offsets=[-1, 0])
        axes.append(second_difference(n) + wind * down)
    return grid(*axes)


def recirculating(n, strength):
    """A flow that goes round in a square, upwind."""
    x, y = np.meshgrid((np.arange(n) + 0.5) / n, (np.arange(n) + 0.5) / n, indexing="ij")
    u, v = (strength * np.sin(np.pi * x) * np.cos(np.pi * y)).ravel(), (-strength * np.cos(np.pi * x) * np.sin(np.pi * y)).ravel()
    eye = sp.eye_array(n)
    back = sp.eye_array(n) - sp.eye_array(n, k=-1)
    ahead = sp.eye_array(n, k=1) - sp.eye_array(n)
    move = lambda speed, d_back, d_ahead: sp.diags_array(np.maximum(speed, 0)) @ d_back + sp.diags_array(np.minimum(speed, 0)) @ d_ahead
    return (grid(second_difference(n), second_difference(n)) + move(u, sp.kron(back, eye), sp.kron(ahead, eye)) +
            move(v, sp.kron(eye, back), sp.kron(eye, ahead)))


def elasticity(n):
    from pyamg.gallery import linear_elasticity

    a, motions = linear_elasticity((n, n))
    return a, {"block": 2, "space": motions}


def rotated(n):
    from pyamg.gallery import diffusion_stencil_2d, stencil_grid

    return stencil_grid(diffusion_stencil_2d(epsilon=0.1, theta=np.pi / 6, type="FE"), (n, n))


def gallery_square():
    """PyAMG's unstructured triangles of a square, refined by copying: its largest example matrix."""
    from pyamg.gallery import regular_triangle_mesh
    from pyamg.gallery.fem import Mesh, gradgradform

    v, e = regular_triangle_mesh(500, 500)
    form = gradgradform(Mesh(v, e, degree=1))
    a = (form[0] if isinstance(form, tuple) else form).tocsr()
    inner = np.flatnonzero((v[:, 0] > v[:, 0].min()) & (v[:, 0] < v[:, 0].max()) & (v[:, 1] > v[:, 1].min()) & (v[:, 1] < v[:, 1].max()))
    return a[inner][:, inner]


def boundary_layer(n, ratio):
    half = ratio ** np.arange(n // 2)
    return np.concatenate([half, half[::-1]]) / half.sum()


# Name -> what makes it. The first nine chose the settings of lacis; the others did not.
CHOSEN_WITH = {
    "7-point 64^3": lambda: grid(*[second_difference(64)] * 3),
    "7-point 100^3": lambda: grid(*[second_difference(100)] * 3),
    "7-point 128^3": lambda: grid(*[second_difference(128)] * 3),
    "anisotropic 0.01, 100^3": lambda: grid(second_difference(100), second_difference(100), 0.01 * second_difference(100)),
    "27-point 80^3": lambda: box27(80),
    "jumps of 1e4, 100^3": lambda: jumps(100, 1e4),
    "mesh 60, shuffled": lambda generate: mesh(generate("@mesh3d:60,shuffled")),
    "tetrahedra 50^3": lambda: tetrahedra(52),
    "5-point 1000^2": lambda: grid(*[second_difference(1000)] * 2),
}
NEW = {
    "elasticity 250^2": lambda: elasticity(250),
    "wind in 3D, 64^3": lambda: upwind(64, (4, 2, 1)),
    "recirculating flow 600^2": lambda: recirculating(600, 2.0),
    "boundary layers 800^2": lambda: graded(boundary_layer(800, 1.02), boundary_layer(800, 1.02)),
    "stretched boxes 80^3": lambda: graded(boundary_layer(80, 1.1), boundary_layer(80, 1.0), np.full(80, 0.05)),
    "rotated anisotropy 600^2": lambda: rotated(600),
    "triangles 500^2": lambda: gallery_square(),
}
