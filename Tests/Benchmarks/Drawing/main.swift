// Measures what a frame costs with a day of history and with two minutes of it: `drawing FRAMES RESULTS`, in a terminal.
//
// For each window of time it writes a line into the file RESULTS: the window, then nanoseconds of processor time for one
// frame, drawn and drawn and painted, each with two minutes and with a day of readings at 1 Hz of every vital. With `waves`
// behind it there are two lines instead, for one wave and for two: the same of a frame in which only they move on.

import Appearance
import Glibc
import Terminal

/// The processor time of this process so far, in nanoseconds.
func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func median(_ values: [Int64]) -> Int64 { values.sorted()[values.count / 2] }

guard CommandLine.arguments.count >= 3, let frames = Int(CommandLine.arguments[1]), frames > 0,
    let results = fopen(CommandLine.arguments[2], "w")
else { exit(64) }
let terminal = try Terminal()
if CommandLine.arguments.last == "waves" {
    measureWaves(frames, in: terminal, into: results)
} else {
    measureHistories(frames, in: terminal, into: results)
}
fclose(results)
terminal.restore()

func measureHistories(_ frames: Int, in terminal: Terminal, into results: UnsafeMutablePointer<FILE>) {
    for window in TrendWindow.allCases {
        // One after the other, frame by frame, so that whatever else the machine does hits both alike.
        var patients = [120, 86_400].map { Patient(history: $0, window: window) }
        var drawing: [[Int64]] = [[], []]
        var painting: [[Int64]] = [[], []]
        for frame in 0..<frames + 5 {
            for index in patients.indices {
                patients[index].nextSecond()
                let start = processorTime()
                let grid = patients[index].drawn(columns: terminal.size.columns, rows: terminal.size.rows)
                let drawn = processorTime()
                terminal.paint(grid)
                let painted = processorTime()
                // The first ones warm caches, and the first paint of all is the whole screen.
                guard frame >= 5 else { continue }
                drawing[index].append(drawn - start)
                painting[index].append(painted - start)
            }
        }
        let numbers = (drawing + painting).map { "\(median($0))" }.joined(separator: " ")
        fputs("\(window.rawValue) \(numbers)\n", results)
    }
}

func measureWaves(_ frames: Int, in terminal: Terminal, into results: UnsafeMutablePointer<FILE>) {
    for count in 1...2 {
        var patient = Patient(history: 120, window: .tenMinutes, waves: count)
        for tenth in 0..<100 { patient.nextTenth(tenth) }
        var grid = patient.drawnWithWaves(columns: terminal.size.columns, rows: terminal.size.rows)
        terminal.paint(grid)
        var waves: [[Int64]] = [[], []]
        for tenth in 100..<100 + frames * 5 {
            patient.nextTenth(tenth)
            let start = processorTime()
            patient.drawWaves(on: &grid)
            let drawn = processorTime()
            terminal.paint(grid)
            waves[0].append(drawn - start)
            waves[1].append(processorTime() - start)
        }
        fputs("\(count) \(median(waves[0])) \(median(waves[1]))\n", results)
    }
}
