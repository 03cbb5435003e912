# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What a plan compared before it chose a layout: the predicted time of one product in each."""

from pictures import save

import lacis

plans = {spec: lacis.plan(spec).candidates for spec in ("@poisson3d:100", "@kmer:1000000", "@rmat:17")}


def draw(figure):
    panels = figure.subplots(1, 3)
    for axes, (spec, candidates) in zip(panels, plans.items()):
        candidates = sorted(candidates, key=lambda c: -c["seconds"])
        bars = axes.barh([f"{c['layout']} ({c['values']})" for c in candidates], [1e3 * c["seconds"] for c in candidates])
        for bar, c in zip(bars, candidates):
            bar.set_hatch("" if c["chosen"] else "////")
            bar.set_alpha(1 if c["chosen"] else 0.55)
        axes.set_title(spec)
        axes.tick_params(axis="y", labelsize=7)
    figure.supxlabel("predicted ms per product; solid: the layout that was chosen")


save(draw, 9.6, 3.6)
