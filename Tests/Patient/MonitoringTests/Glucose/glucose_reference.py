"""The course and the statistics of glucose, computed from their definitions in exact fractions.

Each line of the input is a JSON list of [seconds ago, hundredths of mg/dL], and is answered with a line of JSON.
"""

import json
import statistics
import sys
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

ARROWS = (
    (Fraction(-7, 2), "falling_very_fast"), (Fraction(-2), "falling_fast"), (Fraction(-1), "falling"),
)  # fmt: skip
"""mg/dL a minute, at which a fall has a name; rises have the same limits."""


def arrow(rate):
    for limit, name in ARROWS:
        if rate <= limit:
            return name
        if -rate <= limit:
            return name.replace("falling", "rising")
    return "steady"


def percent(count, total):
    return int((Decimal(100) * count / total).quantize(Decimal(1), ROUND_HALF_UP))


def course(samples):
    newest_age, newest = min(samples)
    # The newest value that is at least four minutes older, and not more than sixteen.
    earlier = min(([age, value] for age, value in samples if age - newest_age >= 240), default=None)
    result = {}
    if newest_age <= 660 and earlier is not None and earlier[0] - newest_age <= 960:
        minutes = round(Fraction(earlier[0] - newest_age, 60))
        rate = Fraction(newest - earlier[1], 100 * minutes)
        result = {"arrow": arrow(rate), "delta": float(5 * rate)}
    values = [value for age, value in samples if age <= 86_400]
    if len(values) >= 12:
        below = percent(sum(value < 7000 for value in values), len(values))
        above = percent(sum(value > 18_000 for value in values), len(values))
        result |= {"below": below, "above": above, "inside": 100 - below - above, "count": len(values)}
    everything = [value for _, value in samples]
    return result | {
        "minimum": min(everything), "median": statistics.median_low(everything), "maximum": max(everything),
    }  # fmt: skip


for line in sys.stdin:
    print(json.dumps(course(json.loads(line))), flush=True)
