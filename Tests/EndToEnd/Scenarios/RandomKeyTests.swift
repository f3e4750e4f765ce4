import Glibc
import TestSupport
import Testing

/// Keys pressed at random in the real program; the same as ten times as many on its pure part (`KeyFuzzTests`).
@Suite("Random keys", .startsPrograms, .timeLimit(.minutes(10)))
struct RandomKeyTests {
    /// Keys that do not end or stop the program; `q` does, and has its own tests.
    private static let keys: [String] =
        "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/?.,-+ []ä心\u{1F3E5}".map(String.init)
        + [
            Key.enter, .escape, .tab, .backspace, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown,
        ].map(\.rawValue) + ["\u{1B}[3~", "\u{15}", "\u{02}", "\u{1B}[200~pasted q\u{1B}[201~", "\u{1B}[99;99R"]

    private func press(
        _ count: Int, of keys: [String] = keys, _ bedside: ProgramInTerminal, _ random: inout SeededGenerator
    ) async {
        for _ in 0..<count {
            guard let key = keys.randomElement(using: &random) else { return }
            await bedside.type(key)
        }
    }

    @Test("never leave a screen that is not what the program means")
    func trueScreen() async throws {
        let bedside = try await ProgramInTerminal.start(columns: 90, rows: 28)
        try await bedside.waitFor("NO MESSAGE BUS")
        var random = SeededGenerator(seed: 10)
        for round in 0..<12 {
            // Not what begins a countdown, or the screen would change by itself.
            await press(150, of: Self.keys.filter { !["p", "S"].contains($0) }, bedside, &random)
            try await bedside.expectTrueScreen(marker: "round \(round).")
        }
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit() == .exited(0))
        let damage = await bedside.damageToTerminal
        #expect(damage == [])
    }

    @Test("and random sizes do no harm while sensors stream")
    func streaming() async throws {
        let bedside = try await ProgramInTerminal.start(["--simulate=steady", "--connect", "all"])
        try await bedside.waitForSteadyValues()
        var random = SeededGenerator(seed: 11)
        for _ in 0..<100 {
            await press(20, bedside, &random)
            let (columns, rows) = (Int.random(in: 1...200, using: &random), Int.random(in: 1...60, using: &random))
            await bedside.resize(columns: columns, rows: rows)
        }
        await bedside.resize(columns: 100, rows: 30)
        _ = try await bedside.settle(marker: "at last")
        await bedside.send(signal: SIGTERM)
        #expect(try await bedside.waitForExit() == .exited(0))
        let damage = await bedside.damageToTerminal
        #expect(damage == [])
    }
}
