"""Prints the Swift modules that a target needs, itself last, each after those that it needs.

Reads what `swift package describe --type json` says; the argument is the target.
"""

import json
import sys

targets = {target["name"]: target for target in json.load(sys.stdin)["targets"]}
order = []


def visit(name):
    if name not in order and targets[name]["module_type"] == "SwiftTarget":
        for needed in targets[name].get("target_dependencies", []):
            visit(needed)
        order.append(name)


visit(sys.argv[1])
print(" ".join(order))
