"""Reads files with the parser of OpenMetrics of python3-prometheus-client; answers each path with the samples on one line."""

import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

for line in sys.stdin:
    with open(line.rstrip("\n"), encoding="utf-8", newline="") as file:
        text = file.read()
    try:
        samples = []
        for family in text_string_to_metric_families(text):
            if family.unit and not family.name.endswith("_" + family.unit):
                raise ValueError(f"{family.name} does not end with its unit {family.unit}")
            for sample in family.samples:
                labels = " ".join(f"{name}={value!r}" for name, value in sorted(sample.labels.items()))
                samples.append(f"{sample.name} {labels} {sample.value:.15g}")
        print(" | ".join(samples), flush=True)
    except ValueError as error:
        print(f"refused: {error}", flush=True)
