import Foundation
import TestSupport
import Testing

/// Sensors, engine and screen share a thread, so nothing that a terminal does may hold it up.
@Suite("Whatever its terminal does, the monitor", .startsPrograms)
struct OneLoopTests {
    enum Trouble: String, CaseIterable, CustomTestStringConvertible {
        case hungTerminal = "a terminal that takes nothing"
        case stoppedShell = "a shell that is stopped, whose terminal takes nothing"
        case largeFrame = "a terminal of 300 x 80, which flashes"

        var testDescription: String { rawValue }
    }

    @Test("receives, judges, sounds and records what comes meanwhile", arguments: Trouble.allCases)
    func goesOn(trouble: Trouble) async throws {
        let world = try await World.simulated("steady")
        let (card, folder) = (try SoundCard(), try TemporaryFolder())
        let environment = card.environment.merging(["XDG_DATA_HOME": folder.path]) { $1 }
        // The shell waits for the program, which has its terminal.
        let bedside = try await ProgramInTerminal.start(
            ["-c", #""$0" --no-welcome --connect "$1"; exit $?"#, Harness.program, Steady.strap], on: world,
            environment: environment, program: "/bin/bash")
        try await bedside.waitUntil("there is a heart rate") { $0.number(of: "HEART RATE") == "72" }
        let view = try await ProgramWithPipes.start(["watch", "--view", "--json"], on: world, environment: environment)
        _ = try await view.next("the present heart rate") { $0.isReading(of: "heart_rate", 72) }

        switch trouble {
        case .hungTerminal: await bedside.stopReading()
        case .stoppedShell:
            await bedside.send(signal: SIGSTOP)
            await bedside.stopReading()
        case .largeFrame: await bedside.resize(columns: 300, rows: 80)
        }
        try await world.please("hr 150")

        // None of this waits for the end of the trouble, which comes only afterwards.
        _ = try await view.next("the heart rate of meanwhile") { $0.isReading(of: "heart_rate", 150) }
        _ = try await view.next("its alarm") { $0.event == "alarm" && $0.text("kind") == "severe_high" }
        try await world.waitUntil("it sounds") { card.isHeard }
        let query = "SELECT count(*) FROM readings WHERE vital = 'heart_rate' AND value = 150"
        try await world.waitUntil("it is recorded") {
            try await SQLiteTool.rows(query, in: folder.path + "/bedside/simulated/store.sqlite") != [["0"]]
        }

        switch trouble {
        case .hungTerminal: await bedside.readAgain()
        case .stoppedShell:
            await bedside.send(signal: SIGCONT)
            await bedside.readAgain()
        case .largeFrame: break
        }
        try await bedside.waitUntil("the present is shown") { $0.number(of: "HEART RATE") == "150" }
        await view.send(signal: SIGTERM)
        _ = try await view.waitForExit()
        try await bedside.quitWhenAsked()
        #expect(try await bedside.waitForExit() == .exited(0))
    }
}
