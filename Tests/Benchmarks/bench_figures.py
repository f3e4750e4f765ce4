"""The measured figures with their bounds."""

found = []


def check(name, value, bound, unit="", least=False):
    """Prints a figure beside its bound, keeps it for the table at the end, and answers whether the bound holds.

    `least` says that the value must not be below the bound; otherwise it must not be above.
    """
    holds = value >= bound if least else value <= bound
    found.append((name, value, bound, unit, least, holds))
    print(line(*found[-1]), flush=True)
    return holds


def line(name, value, bound, unit, least, holds):
    side = "at least" if least else "at most"
    return f"{'ok   ' if holds else 'FAILS'} {name}: {value:.3g}{unit and ' ' + unit}, wanted {side} {bound:g}{unit and ' ' + unit}"


def summary():
    """Prints all figures of this run; answers whether all bounds hold."""
    print("All figures with their bounds:")
    for figure in found:
        print(line(*figure))
    failed = sum(not figure[-1] for figure in found)
    print(f"{len(found) - failed} of {len(found)} bounds hold.")
    return failed == 0
