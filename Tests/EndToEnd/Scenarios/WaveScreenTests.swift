import Foundation
import TestSupport
import Testing

/// What the screen shows of the ECG of a trial's strap.
@Suite("The waves of a trial", .startsPrograms)
struct WaveScreenTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func start(_ arguments: [String]) async throws -> ProgramInTerminal {
        try await ProgramInTerminal.start(
            ["--simulate", "--connect", "all"] + arguments,
            environment: ["XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], columns: 120, rows: 40)
    }

    @Test(
        "an ECG is beside its heart rate, moves, is frozen and measured, alone on its page, and gives way to the trend")
    func ecg() async throws {
        let bedside = try await start([])
        try await bedside.waitUntil("the ECG is drawn") {
            $0.shows("ECG") && $0.shows("1 mV") && $0.shows("HR TREND") && !$0.number(of: "HEART RATE").isEmpty
        }
        let first = await bedside.screen.text
        try await bedside.waitUntil("the pen has moved") { $0.text != first }
        #expect(await bedside.screen.lines.dropFirst(3).contains { $0.contains("SIMULATED") })
        await bedside.type(" ")
        try await bedside.waitFor("FROZEN")
        await bedside.press(.left)
        try await bedside.waitFor("µV")
        await bedside.type(" ")
        try await bedside.waitUntil("it goes on") { !$0.shows("FROZEN") && !$0.shows("µV") }
        await bedside.type("W")
        try await bedside.waitFor("ECG, one lead")
        await bedside.type("q")
        try await bedside.waitFor("HR TREND")
        await bedside.type("t")
        try await bedside.waitUntil("trends are shown") { !$0.shows("ECG") && !$0.shows("HR TREND") }
        #expect(try await bedside.quit() == .exited(0))
    }

    @Test("with screen.waves=off no wave is asked for, and the trends are where they were")
    func off() async throws {
        let bedside = try await start(["--set", "screen.waves=off"])
        try await bedside.waitUntil("there is a heart rate") { !$0.number(of: "HEART RATE").isEmpty }
        await bedside.type("t")
        try await bedside.waitFor("No sensor sends a wave.")
        #expect(await !bedside.screen.shows("ECG"))
        #expect(try await bedside.quit() == .exited(0))
    }
}
