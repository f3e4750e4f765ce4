@testable import Dashboard
import Appearance
import TestSupport
import Testing
import TextGrid

@testable import Terminal

// Part of the suite of the terminal, for ncurses keeps global state and these must run one after the other.
extension TerminalTests {
    /// Values that move from column to column, as three vitals have them, and the share of the time with an alarm.
    enum TrendStory: CaseIterable {
        case calm, rough

        /// The largest change from one column to the next, in hundredths of the scale's height.
        var step: Int { self == .calm ? 2 : 8 }
        var values: [ClosedRange<Int>] {
            self == .calm ? [20...35, 80...95, 25...40] : [10...90, 30...100, 20...90]
        }
        var alarms: [Style.Role?] { self == .calm ? [nil, nil, nil] : [.alarmMedium, .alarmHigh, nil] }
    }

    /// The mean number of octets of a frame in which three trends of 80 × 8 cells move on by a column.
    private func octetsPerFrame(_ story: TrendStory, frames: Int = 60) throws -> Int {
        let (cells, rows) = (80, 8)
        let pty = try PseudoTerminal(columns: cells, rows: rows * 3)
        let terminal = try terminal(pty)
        defer { terminal.restore() }
        var generator = SeededGenerator(seed: 11)
        let values = story.values.map { bounds in
            var value = (bounds.lowerBound + bounds.upperBound) / 2
            return (0..<cells * 2 + frames).map { _ in
                value += Int.random(in: -story.step...story.step, using: &generator)
                value = min(max(value, bounds.lowerBound), bounds.upperBound)
                return TrendSpan(low: value, high: min(100, value + story.step / 2))
            }
        }
        let roles: [Style.Role] = [.heartRate, .oxygenSaturation, .temperature]
        var octets = 0
        for frame in 0..<frames {
            var grid = Grid(columns: cells, rows: rows * 3)
            for (index, role) in roles.enumerated() {
                var graph = TrendGraph(
                    spans: Array(values[index][frame..<frame + cells * 2]), range: 0...100, limits: [10, 75],
                    favoursLow: false, glyphs: .braille)
                graph.shades = (0..<cells).map { (60..<72).contains($0 + frame / 2) ? story.alarms[index] : nil }
                graph.draw(
                    Style(role), in: Area(column: 0, row: index * rows, columns: cells, rows: rows), on: &grid)
            }
            terminal.paint(grid)
            let written = pty.output().count
            if frame > 0 { octets += written }
        }
        return octets / (frames - 1)
    }

    /// Before they glowed they had a ground, and a frame of calm ones took 1,164 octets, one of rough ones 3,868.
    @Test(
        "trends that move glow for no more octets than a ground took when calm, and a fifth more when rough",
        arguments: [(TrendStory.calm, 1164), (.rough, 3868 * 6 / 5)])
    func trendCost(story: TrendStory, bound: Int) throws {
        let octets = try octetsPerFrame(story)
        #expect(octets <= bound)
    }
}
