# SPDX-License-Identifier: GPL-2.0-only
"""summary.py seed DIR SEED: one line of JSON for a run.
summary.py worst FILE: one line for the worst of the runs in FILE."""
import json
import sys

import figures


def seed_line(path, seed):
    run, result = figures.figures(path)
    checks = figures.limits(run.param)
    failed = [name for name, kind, limit in checks
              if not figures.passes(result[name], kind, limit)]
    return {"experiment": run.param["experiment"], "kind": run.param["kind"],
            "parameters": {k: v for k, v in sorted(run.param.items())
                           if k not in ("experiment", "kind", "sample")},
            "seed": int(seed), "figures": result, "failed": failed}


# Figures where less is worse; of all others more is
LESS_IS_WORSE = ("rate", "of_limit", "before", "first_20ms_of_limit", "jain",
                 "dip_until_back", "healed_of_limit", "mean_of_fair",
                 "least_of_fair", "victim_of_limit", "victim_before", "bulk",
                 "beside", "sum", "bulk_of_limit")


def worst(lines):
    result = {}
    for line in lines:
        for name, value in line["figures"].items():
            if not isinstance(value, (int, float)):
                continue
            pick = min if name in LESS_IS_WORSE else max
            result[name] = pick(result.get(name, value), value)
    return {"worst_of": len(lines), "experiment": lines[0]["experiment"],
            "kind": lines[0]["kind"], "parameters": lines[0]["parameters"],
            "figures": result,
            "failed": sorted({name for line in lines
                              for name in line["failed"]})}


if __name__ == "__main__":
    if sys.argv[1] == "seed":
        print(json.dumps(seed_line(*sys.argv[2:])), flush=True)
    else:
        with open(sys.argv[2], encoding="utf-8") as f:
            print(json.dumps(worst([json.loads(line) for line in f])))
