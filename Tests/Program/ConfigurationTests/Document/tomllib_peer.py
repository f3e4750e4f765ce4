"""Reads each line as a file in TOML, in hexadecimal, and answers what Python's own reader makes of it."""
import datetime
import struct
import sys
import tomllib


def text(value):
    return value.encode().hex()


def canonical(value):
    if isinstance(value, bool):
        return "b1" if value else "b0"
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            # TOML asks for an error where a number cannot be kept; Python can keep every one.
            raise OverflowError
        return f"i{value}"
    if isinstance(value, float):
        return "fnan" if value != value else "f" + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "s" + text(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return "d" + value.isoformat()
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    return "{" + ",".join(f"{key}={item}" for key, item in sorted((text(k), canonical(v)) for k, v in value.items())) + "}"


for line in sys.stdin:
    try:
        answer = canonical(tomllib.loads(bytes.fromhex(line.strip()).decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OverflowError):
        answer = "invalid"
    print(answer, flush=True)
