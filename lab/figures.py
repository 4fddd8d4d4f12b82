# SPDX-License-Identifier: GPL-2.0-only
"""What was seen in one run, made into figures and held against the limits.

Rates are payload in Mb/s. The physical limit of a link is its rate times the
payload of a full segment over what such a packet occupies: MTU + 14 bytes, as
the queues count. Times in the raw data are us, in the figures ms.
"""
import json
import os

# Limits of AF_MRC: experiment -> [(figure, "min" or "max", limit)]
LIMITS = {
    "allgood": [("of_limit", "min", 0.97), ("spurious", "max", 0.001),
                ("probe_bytes", "max", 0.001)],
    "black": [("gap_ms", "max", 2), ("of_limit", "min", 0.97),
              ("back_ms", "max", 300), ("dip_until_back", "min", 0.9)],
    "black4": [("gap_ms", "max", 5), ("of_limit", "min", 0.95)],
    "blackrev": [("gap_ms", "max", 2)],
    "grey": [("of_limit", "min", 0.95)],
    "blink": [("of_limit", "min", 0.90), ("gap_ms", "max", 2)],
    "slow": [("of_limit", "min", 0.95)],
    "rates": [("of_limit", "min", 0.93)],
    "skew": [("of_limit", "min", 0.95), ("spurious", "max", 0.001)],
    "loss": [],
    "four": [("mean_of_fair", "min", 0.96), ("least_of_fair", "min", 0.90)],
    "jain16": [("jain", "min", 0.99)],
    "incast": [("times_optimum", "max", 1.3), ("victim_of_limit", "min", 0.95)],
    "mixed": [],
    "short": [],
    "idle": [("idle_packets_per_s", "max", 2)],
}
LOSS_LIMITS = {"0.1": 0.96, "1": 0.88, "3": 0.70}
# UDP, IP and link headers, and 24 bytes of ours
PROBE_BYTES = 14 + 20 + 8 + 20


def read_pairs(path):
    with open(path, encoding="utf-8") as f:
        return dict(line.split(None, 1) for line in f)


def read_counters(path):
    """Lines come in pairs, names and values, as in /proc/net/snmp."""
    counters = {}
    if not os.path.exists(path):
        return counters
    with open(path, encoding="utf-8") as f:
        lines = [line.split() for line in f]
    for names, values in zip(lines[::2], lines[1::2]):
        for name, value in zip(names[1:], values[1:]):
            counters[names[0][:-1] + name] = int(value)
    return counters


class Run:
    """One seed's raw data."""

    def __init__(self, path):
        with open(os.path.join(path, "flow.json"), encoding="utf-8") as f:
            raw = json.load(f)
        self.flows = raw["flows"]
        self.samples = raw["samples"]
        self.bin_ms = raw["bin_us"] / 1000
        self.stopped_ms = raw["stopped_us"] / 1000
        self.param = {k: v.strip() for k, v in read_pairs(
            os.path.join(path, "parameters")).items()}
        self.mark = {k: float(v) for k, v in read_pairs(
            os.path.join(path, "marks")).items()}
        self.path = path
        self.spines = int(self.param["spines"])
        self.link = float(self.param["rate"])

    def counters(self, node, name):
        return read_counters(os.path.join(self.path, f"{node}.{name}"))

    def named(self, *names):
        return [f for f in self.flows if f["name"] in names]

    def efficiency(self, flow):
        """Payload of a full segment over what it occupies on a link."""
        return flow["maxseg"] / (int(self.param["mtu"]) + 14)

    def limit(self, links=None):
        """Payload rate of so many links."""
        links = self.spines if links is None else links
        return links * self.link * self.efficiency(self.flows[0])

    def rate(self, flows, start, end):
        first, last = round(start / self.bin_ms), round(end / self.bin_ms)
        bits = 8 * sum(sum(f["bins"][first:last]) for f in flows)
        return bits / (end - start) / 1000

    def gap(self, start, end):
        """Longest wait for data that began or ended between."""
        return max((length / 1000 for f in self.named("bulk")
                    for at, length in f["gaps_us"]
                    if at / 1000 < end and (at + length) / 1000 > start),
                   default=0)

    def shares(self, start, end, what="out_bytes"):
        """Each spine's part of what came out between, and the amounts."""
        inside = [s for s in self.samples
                  if start <= s["at_us"] / 1000 <= end + 0.5]
        if len(inside) < 2:
            return [0] * self.spines
        return [b - a for a, b in
                zip(inside[0][what], inside[-1][what])]


def transport(run, since):
    """Counters of the sender from a mark to the end."""
    before, after = run.counters("h1", since), run.counters("h1", "end")

    def count(name):
        return after.get(name, 0) - before.get(name, 0)

    if run.param["kind"] != "mrc":
        return {"retrans": count("TcpRetransSegs") /
                max(1, count("TcpOutSegs"))}
    sent = max(1, count("MrcOutSegs"))
    again = sum(count("MrcRetrans" + why)
                for why in ("Reorder", "Pto", "Rto", "Tail"))
    return {"retrans": again / sent, "spurious": count("MrcSpurious") / sent,
            "timeouts": count("MrcTimeouts"),
            "path_bad": count("MrcPathBad"),
            "probe_bytes": count("MrcOutProbes") * PROBE_BYTES /
            (sent * int(run.param["mtu"]))}


def figures_steady(run):
    links = run.mark.get("capacity", run.spines * run.link) / run.link
    start, end = run.mark["from"], run.mark["end"]
    bulk = run.named("bulk")
    rate = run.rate(bulk, start, end)
    limit = run.limit(links)
    return {"rate": rate, "limit": limit, "of_limit": rate / limit,
            "gap_ms": run.gap(start, end),
            "start_ms": time_to(run, bulk, 0.9 * limit),
            **transport(run, "from")}


def time_to(run, flows, rate, start=0, width=5):
    """When so much was carried for some ms in a row, from a time on."""
    at = start
    while at + width <= run.mark["end"]:
        if run.rate(flows, at, at + width) >= rate:
            return at - start
        at += run.bin_ms
    return run.mark["end"] - start


def figures_fault(run):
    """From a fault on; settled 20 ms later, or at the mark "from"."""
    fault = run.mark["fault"]
    end = run.mark.get("heal", run.mark["end"])
    settled = run.mark.get("from", fault + 20)
    dead = {"black4": run.spines // 2, "blackrev": 0}
    left = run.spines - dead.get(run.param["experiment"], 1)
    bulk = run.named("bulk")
    limit = run.limit(left)
    result = {"before": run.rate(bulk, fault - 100, fault),
              "rate": run.rate(bulk, settled, end), "limit": limit,
              "first_20ms_of_limit":
              run.rate(bulk, fault, fault + 20) / limit,
              "gap_ms": run.gap(fault, end), **transport(run, "fault")}
    result["of_limit"] = result["rate"] / limit
    if run.param["experiment"] != "blackrev":
        shares = run.shares(settled, end, "in_bytes")
        if "spine" in run.mark:
            result["bad_spine_share"] = (
                shares[int(run.mark["spine"]) - 1] / max(1, sum(shares)))
    if "heal" in run.mark:
        result.update(figures_heal(run, limit))
    return result


def figures_heal(run, limit):
    """In use again: half of a fair share in two samples in a row."""
    heal, spine = run.mark["heal"], int(run.mark["spine"]) - 1
    back, hits = run.mark["end"] - heal, 0
    samples = [s for s in run.samples if s["at_us"] / 1000 >= heal]
    for one, two in zip(samples, samples[1:]):
        moved = [b - a for a, b in
                 zip(one["out_bytes"], two["out_bytes"])]
        hits = hits + 1 if moved[spine] * run.spines * 2 >= sum(moved) > 0 \
            else 0
        if hits == 2:
            back = one["at_us"] / 1000 - heal
            break
    bulk, width = run.named("bulk"), 10
    dips = [run.rate(bulk, at, at + width) / limit for at in
            range(int(heal), int(heal + back), width)]
    return {"back_ms": back, "dip_until_back": min(dips, default=1),
            "healed_of_limit": run.rate(
                bulk, min(heal + back + 50, run.mark["end"] - 50),
                run.mark["end"]) / run.limit()}


def figures_shares(run):
    start, end = run.mark["from"], run.mark["end"]
    bulk = run.named("bulk")
    rates = [run.rate([f], start, end) for f in bulk]
    fair = run.limit() / len(bulk)
    return {"rates": [round(r, 1) for r in rates], "fair": fair,
            "mean_of_fair": sum(rates) / len(rates) / fair,
            "least_of_fair": min(rates) / fair,
            "jain": sum(rates)**2 / len(rates) / max(1, sum(
                r * r for r in rates)), **transport(run, "from")}


def figures_incast(run):
    start = run.mark["from"]
    flows, victim = run.named("incast"), run.named("victim")
    times = [f["done_us"] / 1000 - start if f["done_us"] else
             run.mark["end"] - start for f in flows]
    last = max(times)
    optimum = 8 * sum(65536 for f in flows) / run.limit(1) / 1000
    result = {"last_ms": last, "optimum_ms": optimum,
              "times_optimum": last / optimum,
              "unfinished": sum(not f["done_us"] for f in flows)}
    # A victim is watched for as long as the incast should last, and its
    # aftermath
    until = max(start + 2 * optimum, start + 50)
    result["victim_of_limit"] = run.rate(victim, start, until) / run.limit(1)
    result["victim_before"] = (run.rate(victim, start - 50, start) /
                               run.limit(1))
    return result


def figures_mixed(run):
    start, end = run.mark["from"], run.mark["end"]
    result = {name: run.rate(run.named(name), start, end) / run.limit()
              for name in ("bulk", "beside")}
    result["sum"] = result["bulk"] + result["beside"]
    return result


def figures_short(run):
    short = run.named("short")[0]
    if "rtts" not in short:     # waits since its start, perhaps for longer
        waited = run.mark["end"] * 1000 - short["start_us"]
        short["rtts"] = {"n": 0, "p50_us": waited, "p99_us": waited}
    rate = run.rate(run.named("bulk"), run.mark["from"], run.mark["end"])
    return {"bulk_of_limit": rate / run.limit(), **short["rtts"]}


def figures_idle(run):
    start, end = run.mark["from"], run.mark["end"]
    packets = (sum(run.shares(start, end, "in_packets")) +
               reverse_packets(run))
    return {"done_ms": run.flows[0]["done_us"] / 1000,
            "idle_packets_per_s": packets / (end - start) * 1000,
            **transport(run, "from")}


def reverse_packets(run):
    """What the receiver sent, from its own counters."""
    before, after = run.counters("h2", "from"), run.counters("h2", "end")
    return sum(after.get(name, 0) - before.get(name, 0)
               for name in ("IpOutRequests",))


FIGURES = {"four": figures_shares, "jain16": figures_shares,
           "incast": figures_incast, "mixed": figures_mixed,
           "short": figures_short, "idle": figures_idle}


def figures(path):
    run = Run(path)
    make = FIGURES.get(run.param["experiment"],
                       figures_fault if "fault" in run.mark else
                       figures_steady)
    result = make(run)
    errors = [f.get("error") for f in run.flows if f.get("error")]
    if errors:
        result["errors"] = errors
    return run, {k: round(v, 5) if isinstance(v, float) else v
                 for k, v in result.items()}


def limits(param):
    """The limits that hold for a run with these parameters."""
    if param["kind"] != "mrc":
        return []
    if param["experiment"] == "loss":
        limit = LOSS_LIMITS.get(param.get("drop", "1"))
        return [("of_limit", "min", limit)] if limit else []
    return LIMITS[param["experiment"]]


def passes(value, kind, limit):
    return value >= limit if kind == "min" else value <= limit
