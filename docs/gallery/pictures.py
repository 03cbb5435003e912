# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Saves a picture twice, for light and for dark pages, in colours that the colour-blind tell apart (those of Okabe and Ito, lighter ones on dark)."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap

MODES = {
    "light": dict(text="#1a1a1a", ground="#ffffff", grid="#dddddd", density=("cividis_r", 0.12), lines=["#0072b2", "#d55e00", "#009e73", "#cc79a7"]),
    "dark": dict(text="#e6e6e6", ground="#131416", grid="#3a3f45", density=("cividis", 0.3), lines=["#56b4e9", "#e69f00", "#2fc9a0", "#e39fc6"]),
}


def density(name, least):
    """A map of colours without its first part, which is too close to the ground."""
    whole = matplotlib.colormaps[name]
    return ListedColormap([whole(least + (1 - least) * k / 255) for k in range(256)], name=f"{name}_{least}")


for _mode in MODES.values():
    _mode["density"] = density(*_mode["density"])
    matplotlib.colormaps.register(_mode["density"])


def save(draw, width=6.4, height=4.0):
    """Calls draw(figure), in both modes. The pictures have the name of the script, in its folder or that of the first argument."""
    script = Path(sys.argv[0])
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else script.parent
    for mode, look in MODES.items():
        with plt.rc_context():
            plt.rcParams.update({"figure.facecolor": look["ground"], "axes.facecolor": look["ground"], "savefig.facecolor": look["ground"],
                                 "grid.color": look["grid"], "axes.edgecolor": look["text"], "legend.frameon": False, "font.size": 10,
                                 "image.cmap": look["density"].name, "axes.prop_cycle": plt.cycler(color=look["lines"]), "axes.axisbelow": True})
            plt.rcParams.update({name: look["text"] for name in ("text.color", "axes.labelcolor", "xtick.color", "ytick.color")})
            figure = plt.figure(figsize=(width, height), layout="compressed")
            draw(figure)
            figure.savefig(folder / f"{script.stem}-{mode}.png", dpi=110)
            plt.close(figure)


def seconds(work, repeat=7):
    """The median time of work(), called once before."""
    import statistics
    import time

    work()
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)
