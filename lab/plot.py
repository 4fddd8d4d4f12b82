# SPDX-License-Identifier: GPL-2.0-only
"""One page of plots, SVG by hand."""
import glob
import json
import os
from xml.sax.saxutils import escape

COLOUR = {"mrc": "#1f6fb4", "cubic": "#b5502a", "bbr": "#8a6d1d",
          "dctcp": "#b5502a", "mptcp": "#5a8f3c"}
WIDTH, PLOT = 1000, 220
BARS = (("allgood", "all good"), ("black", "one black"),
        ("black4", "four black"), ("grey", "10 % drop"), ("blink", "blinking"),
        ("slow", "one at a tenth"), ("rates", "1000..300"),
        ("skew", "skewed"), ("loss-drop0.1", "loss 0.1 %"),
        ("loss-drop1", "loss 1 %"), ("loss-drop3", "loss 3 %"))


class Page:
    def __init__(self):
        self.body, self.y = [], 10

    def text(self, x, y, text, size=11, anchor="start"):
        self.body.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" '
            f'text-anchor="{anchor}">{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, colour="#999", dash=""):
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        self.body.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}"{extra}/>')

    def box(self, x, y, width, height, colour):
        self.body.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{max(0, height):.1f}" fill="{colour}"/>')

    def curve(self, points, colour):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.body.append(f'<polyline points="{path}" fill="none" '
                         f'stroke="{colour}" stroke-width="1"/>')

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write('<svg xmlns="http://www.w3.org/2000/svg" '
                    f'width="{WIDTH}" height="{self.y}" '
                    'font-family="sans-serif">\n'
                    '<rect width="100%" height="100%" fill="white"/>\n')
            f.write("\n".join(self.body))
            f.write("\n</svg>\n")


def read(results, name, queue, kind):
    path = os.path.join(results, f"{name}-{queue}-{kind}.json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def legend(page, kinds, y):
    for i, kind in enumerate(kinds):
        page.box(700 + 75 * i, y - 9, 10, 10, COLOUR[kind])
        page.text(714 + 75 * i, y, kind)


def over_time(page, results, name, title, queue):
    """Throughput of each ms, and what happened when."""
    found = {kind: read(results, name, queue, kind) for kind in COLOUR}
    found = {kind: result for kind, result in found.items() if result}
    if "mrc" not in found:
        return
    series = found["mrc"]["series"]
    top, left, right = page.y + 25, 60, WIDTH - 20
    end, limit = series["marks"]["end"], series["limit"]
    page.text(left, page.y + 14, f"{title} ({queue}), Mb/s of payload in "
              "each ms, first seed", 13)
    legend(page, found, page.y + 14)

    def at(ms, rate):
        return (left + (right - left) * ms / end,
                top + PLOT * (1 - min(1, rate / limit / 1.15)))

    for rate, label in ((0, "0"), (limit, f"L={limit:.0f}")):
        page.line(*at(0, rate), *at(end, rate), dash="4 3")
        page.text(left - 4, at(0, rate)[1] + 4, label, 10, "end")
    for mark in ("fault", "heal"):
        if mark in series["marks"]:
            x = at(series["marks"][mark], 0)[0]
            page.line(x, top, x, top + PLOT, "#c00")
            page.text(x + 3, top + 10, mark, 10)
    for kind, result in reversed(found.items()):
        data = result["series"]
        page.curve([at(i * data["bin_ms"], rate)
                    for i, rate in enumerate(data["mbps"])], COLOUR[kind])
    page.text(left, top + PLOT + 14, "0 ms", 10)
    page.text(right, top + PLOT + 14, f"{end:.0f} ms", 10, "end")
    page.y = top + PLOT + 30


def shares(page, results, names, queue):
    """Each spine's part of the bytes that came through."""
    page.text(60, page.y + 14, f"Share of each path ({queue}), mrc, first "
              "seed; the line is an equal share", 13)
    top, x = page.y + 25, 60
    for name, label in names:
        result = read(results, name, queue, "mrc")
        if not result:
            continue
        parts = result["series"]["shares"]
        scale = PLOT / 2 / 0.25
        for i, part in enumerate(parts):
            height = min(0.25, part) * scale
            page.box(x + 10 * i, top + PLOT / 2 - height, 8, height,
                     COLOUR["mrc"])
        level = top + PLOT / 2 - scale / len(parts)
        page.line(x, level, x + 10 * len(parts), level, "#c00")
        page.text(x, top + PLOT / 2 + 13, label, 10)
        x += 10 * len(parts) + 30
    page.y = top + PLOT // 2 + 30


def bars(page, results, queue):
    """The worst seed's rate, with the physical limit above."""
    kinds = [kind for kind in COLOUR
             if glob.glob(os.path.join(results, f"*-{queue}-{kind}.json"))]
    page.text(60, page.y + 14, f"Worst seed ({queue}), part of L; the line "
              "is the physical limit", 13)
    legend(page, kinds, page.y + 14)
    top, step = page.y + 25, (WIDTH - 80) / len(BARS)
    for i, (name, label) in enumerate(BARS):
        x = 60 + i * step
        for j, kind in enumerate(kinds):
            result = read(results, name, queue, kind)
            if not result:
                continue
            found = result["worst"]["figures"]
            whole = result["series"]["limit"]
            height = PLOT * found["rate"] / whole / 1.1
            page.box(x + 14 * j, top + PLOT - height, 12, height,
                     COLOUR[kind])
            level = top + PLOT - PLOT * found["limit"] / whole / 1.1
            page.line(x - 2, level, x + 14 * len(kinds), level, "#c00")
        page.text(x, top + PLOT + 13, label, 10)
    page.line(60, top + PLOT, WIDTH - 20, top + PLOT)
    page.y = top + PLOT + 30


def write_page(results, path):
    page = Page()
    for queue in ("droptail", "ecn"):
        over_time(page, results, "black", "One spine black, then back", queue)
    over_time(page, results, "blink", "One spine blinks", "droptail")
    for queue in ("droptail", "ecn"):
        bars(page, results, queue)
    shares(page, results, BARS[:8], "droptail")
    page.write(path)
