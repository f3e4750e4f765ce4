"""Prints the Swift modules that targets need, and the targets, each after those that it needs.

Reads what `swift package describe --type json` says of each package, one behind the other; the arguments are the targets.
"""

import json
import sys

targets, products = {}, {}
text = sys.stdin.read()
while text := text.lstrip():
    package, end = json.JSONDecoder().raw_decode(text)
    text = text[end:]
    targets |= {target["name"]: target for target in package["targets"]}
    products |= {product["name"]: product["targets"] for product in package["products"]}
order = []


def visit(name):
    if name not in order and targets[name]["module_type"] == "SwiftTarget":
        for needed in targets[name].get("target_dependencies", []):
            visit(needed)
        for product in targets[name].get("product_dependencies", []):
            for needed in products[product]:
                visit(needed)
        order.append(name)


for target in sys.argv[1:]:
    visit(target)
print(" ".join(order))
