# SPDX-License-Identifier: GPL-2.0-only
"""The table of all results, worst seed of each."""
import json
import os

import figures

KINDS = ("mrc", "cubic", "bbr", "dctcp", "mptcp")
# What stands for an experiment in a column of the other kinds
HEADLINE = {"four": "mean_of_fair", "jain16": "jain", "short": "p99_us",
            "incast": "times_optimum", "mixed": "bulk",
            "idle": "idle_packets_per_s"}


def read_plan(path):
    rows = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("#") or not line.strip():
                continue
            label, command, queues, beside = (
                field.strip() for field in line.split("|"))
            experiment, *keys = command.split()
            rows.append({"label": label, "experiment": experiment,
                         "keys": keys, "queues": queues.split(),
                         "beside": beside.split()})
    return rows


def file_name(row, queue, kind):
    keys = "".join(f"-{key.replace('=', '')}" for key in row["keys"])
    return f"{row['experiment']}{keys}-{queue}-{kind}.json"


def read_result(results, row, queue, kind):
    path = os.path.join(results, file_name(row, queue, kind))
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def checks(row, queue, results, mrc):
    """(figure, value, sign, limit, passed) of each limit of this row."""
    worst = mrc["worst"]["figures"]
    param = {**mrc["worst"]["parameters"], "kind": "mrc",
             "experiment": row["experiment"]}
    wanted = list(figures.limits(param))
    if row["experiment"] == "short":
        tcp = read_result(results, row, queue,
                          "cubic" if queue == "droptail" else "dctcp")
        if tcp:
            p99 = max(run["figures"]["p99_us"] for run in tcp["runs"])
            wanted.append(("p99_us", "max", round(p99 / 2, 1)))
    nothing = float("nan")
    return [(name, worst.get(name, nothing), "≥" if kind == "min" else "≤",
             limit, figures.passes(worst.get(name, nothing), kind, limit))
            for name, kind, limit in wanted]


def headline(row, result):
    if not result:
        return ""
    name = HEADLINE.get(row["experiment"], "rate")
    found = [run["figures"].get(name, 0) for run in result["runs"]]
    low, high = (f"{value:.4g}" for value in (min(found), max(found)))
    return low if low == high else f"{low}..{high}"


def print_row(row, queue, results, out):
    """Returns how many limits do not hold."""
    got = {kind: read_result(results, row, queue, kind) for kind in KINDS}
    label = f"{row['label']} ({queue})"
    others = "".join(f"  {kind} {headline(row, got[kind])}"
                     for kind in KINDS if got[kind])
    out(f"{label:36}{others}")
    if not got["mrc"]:
        return 0
    failed = 0
    for name, value, sign, limit, passed in checks(row, queue, results,
                                                   got["mrc"]):
        out(f"{'':6}{'pass' if passed else 'FAIL':6}{name:22}"
            f"{value:12.5g} {sign} {limit:g}")
        failed += not passed
    for run in got["mrc"]["runs"]:
        if run["figures"].get("errors"):
            out(f"{'':6}FAIL  seed {run['seed']}: "
                f"{run['figures']['errors']}")
            failed += 1
    return failed


def print_table(rows, results, out=print):
    out("Payload in Mb/s (incast: times the optimum; four: mean of a fair "
        "share;\nsixteen: Jain's index; short: 99th percentile in us; beside: "
        "share of L),\nlowest and highest seed; below, the worst seed of mrc "
        "against its limits.\n")
    failed = sum(print_row(row, queue, results, out)
                 for row in rows for queue in row["queues"])
    same = os.path.join(results, "same")
    if os.path.exists(same):
        with open(same, encoding="utf-8") as f:
            verdict = f.read().strip()
        out(f"the same seed gives the same twice: {verdict}")
        failed += verdict != "yes"
    out(f"{failed} limits do not hold" if failed else "all limits hold")
    return 1 if failed else 0
