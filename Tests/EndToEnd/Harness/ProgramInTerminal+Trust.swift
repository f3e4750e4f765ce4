import Testing
import TestSupport

// Whether the terminal shows what the program means it to show.
extension ProgramInTerminal {
    /// Brings a program that only waits for keys into a state with a known last line.
    ///
    /// Where Esc and the next key follow each other too soon they are one key, so this is tried until it works.
    func settle(marker: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Screen {
        for _ in 0..<200 {
            for _ in 0..<4 {
                press(.escape)
                try await Task.sleep(for: .milliseconds(60))
            }
            type("/")
            type(marker)
            let last: @Sendable (Screen) -> Bool = { $0.lines.last?.contains(marker) == true }
            if let screen = try? await waitUntil("the marker is typed", within: .milliseconds(800), last) {
                return screen
            }
        }
        throw HarnessError(
            "no key brings the program to its first screen; it shows\n\(screen.text)", at: sourceLocation)
    }

    /// Demands that the screen is what the program means it to be: that drawing everything anew changes nothing.
    func expectTrueScreen(marker: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<3 {
            let shown = try await settle(marker: marker, sourceLocation: sourceLocation)
            scribble("\u{1B}[0m\u{1B}[2J\u{1B}[Hsomebody else was here")
            press(.controlL)
            let again = try await waitUntil(
                "the screen is again\n\(shown.text)\nas before", sourceLocation: sourceLocation
            ) {
                $0.withoutClock.cells == shown.withoutClock.cells
                    || $0.hasClock && shown.hasClock && $0.clock != shown.clock
            }
            press(.escape)
            if again.withoutClock.cells == shown.withoutClock.cells { return }
            // With the minute more than the clock may change, such as how long an alarm has gone on.
        }
        throw HarnessError("each time the minute ended before the screen was as before", at: sourceLocation)
    }
}

extension Screen {
    /// The time of day at the end of the first row.
    fileprivate var clock: String { String(lines.first?.suffix(5) ?? "") }

    /// Whether there is a time of day, and not what somebody else has written.
    fileprivate var hasClock: Bool { clock.wholeMatch(of: /\d\d:\d\d/) != nil }

    /// The screen without the time of day at the end of its first row.
    fileprivate var withoutClock: Screen {
        var screen = self
        if let first = screen.cells.first { screen.cells[0] = first.dropLast(8) + [] }
        return screen
    }
}
