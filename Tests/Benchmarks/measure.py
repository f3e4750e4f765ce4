"""Measures Bedside against what stands beside it, in one run on one machine: `make bench`.

How to read it: the ratios count, not the times, which depend on the machine and on what else it does. Programs run in
turn and the median counts. Processor time is that of the process alone, by the kernel's own clock for it; the bus, the
emitter and this script are not part of it. The figures with a bound come again at the end, and the exit status is 1 when
one of them, or another wish, is not met.
"""

import argparse

import bench_build
import bench_crowd
import bench_drawing
import bench_events
import bench_figures
import bench_notifications
import bench_recording
import bench_reconnect
import bench_screen
import bench_sound
import bench_terminal
import bench_ward
import bench_waves
from bench_bus import Failure


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="a release build of bedside")
    parser.add_argument("--build", required=True, help="where the programs beside it were built")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=10, help="of alarms in a ward; what is collected is scaled alike")
    parser.add_argument("parts", nargs="*", help="as below; all but the endurance by default")
    parser.add_argument("--quick", action="store_true", help="the four that matter, in less than two minutes")
    chosen = parser.parse_args()
    parts = {
        "notifications": lambda: bench_notifications.measure(chosen.program, chosen.build, chosen.runs),
        "waves": lambda: bench_waves.measure(chosen.program, chosen.build, chosen.runs),
        "wave-screen": lambda: bench_waves.measure_screen(chosen.program, chosen.build, chosen.runs),
        "events": lambda: bench_events.measure(chosen.build, chosen.runs),
        "dashboard": lambda: bench_terminal.measure_dashboard(chosen.program, chosen.build, chosen.runs),
        "drawing": lambda: bench_drawing.measure(chosen.program, chosen.build, chosen.runs),
        "latency": lambda: bench_terminal.measure_latency(chosen.program, chosen.build),
        "alarm": lambda: bench_terminal.measure_alarm_latency(chosen.program, chosen.build),
        "sound": lambda: bench_sound.measure(chosen.program, chosen.build),
        "writing": lambda: bench_screen.measure_writing(chosen.program, chosen.build, chosen.runs),
        "frames": lambda: bench_screen.measure_frames(chosen.program, chosen.build),
        "memory": lambda: bench_terminal.measure_memory(chosen.program, chosen.build),
        "growth": lambda: bench_screen.measure_growth(chosen.program, chosen.build),
        "start": lambda: bench_terminal.measure_start(chosen.program, chosen.build),
        "crowd": lambda: bench_crowd.measure_crowd(chosen.program, chosen.build),
        "reconnect": lambda: bench_reconnect.measure(chosen.program, chosen.build),
        "endurance": lambda: bench_crowd.measure_endurance(chosen.program, chosen.build),
        "recording": lambda: bench_recording.measure_recording(chosen.program, chosen.build, chosen.runs),
        "answers": lambda: bench_recording.measure_answers(chosen.program, chosen.build, chosen.runs),
        "history": lambda: bench_recording.measure_history(chosen.program, chosen.build, chosen.runs),
        "ward": lambda: bench_ward.measure(chosen.program, chosen.build, chosen.runs, chosen.minutes),
        "build": bench_build.measure,
    }
    if chosen.quick:
        parts = {
            "notifications": lambda: bench_notifications.measure(
                chosen.program, chosen.build, 1, bench_notifications.SETTINGS[:1], ["C + SQLite", "recording"]),
            "dashboard": lambda: bench_terminal.measure_dashboard(chosen.program, chosen.build, 1, 8, ["calm"]),
            "latency": lambda: bench_terminal.measure_latency(chosen.program, chosen.build, 100),
        }
    unknown = set(chosen.parts) - parts.keys()
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    is_good = True
    # The endurance takes ten minutes.
    for name in chosen.parts or [name for name in parts if name != "endurance"]:
        try:
            is_good &= parts[name]()
        except Failure as failure:
            print(f"{name}: bedside failed: {failure}\n")
            is_good = False
    return 0 if bench_figures.summary() and is_good else 1


raise SystemExit(main())
