import Foundation
import TestSupport
import Testing

/// What a ward's screen makes of messages that are not what they seem, with the real mosquitto and real monitors.
@Suite(
    "A ward among messages that are not what they seem", .startsPrograms,
    .enabled(if: PrivateBroker.isHere && PythonScript.isHere(with: "paho.mqtt")), .timeLimit(.minutes(10)))
struct WardMessageTests {
    /// A bed, its screen, and somebody else who reads and writes at the same broker.
    private struct Ward {
        let broker: PrivateBroker
        let folder: TemporaryFolder
        let stranger: ProgramWithPipes
        let screen: ProgramInTerminal

        init() async throws {
            (broker, folder) = (try PrivateBroker(), try TemporaryFolder())
            stranger = try await ProgramWithPipes.start(
                ["\(broker.port)", "-", "-", "bedside/v1/north/1/#"].withPeer("client.py"), program: "/usr/bin/python3")
            while let line = try await stranger.nextLine(), !line.contains("ready") {}
            screen = try await Self.startScreen(broker)
        }

        static func startScreen(_ broker: PrivateBroker) async throws -> ProgramInTerminal {
            try await ProgramInTerminal.start(["ward", "--simulate"] + broker.options, columns: 100, rows: 30)
        }

        /// Starts the bed, and waits until the screen shows present values of it.
        func startBed(_ environment: [String: String] = [:]) async throws -> ProgramWithPipes {
            var all = ["XDG_DATA_HOME": folder.path + "/data"]
            all.merge(environment) { $1 }
            // By env, because libfaketime changes the first environment that it meets, and Swift then finds no arguments.
            let bed = try await ProgramWithPipes.start(
                [
                    Harness.program, "record", "--simulate=steady", "--connect", "all", "--set", "ward.site=north",
                    "--set", "ward.bed=1",
                ] + broker.options, environment: all, program: "/usr/bin/env")
            try await waitUntilLive(screen)
            return bed
        }

        func waitUntilLive(_ screen: ProgramInTerminal) async throws {
            try await screen.waitUntil("the bed is live") { $0.hasLiveBed && !$0.shows("NO LINK") }
        }

        /// The next message at the broker that fits, as a line that would publish it again.
        func next(_ fits: (String) -> Bool) async throws -> String {
            while let line = try await stranger.nextLine() {
                if line.contains("\"payload\""), fits(line) { return line }
            }
            throw HarnessError("the broker says nothing more")
        }

        /// Publishes lines, and waits until the screen has seen all of them.
        ///
        /// - Parameter last: The vital of a kept message behind them, which the screen reports; another one each time.
        /// - Returns: The screen then.
        @discardableResult
        func publish(_ lines: [String], last: String) async throws -> Screen {
            let mark = #"{"topic": "bedside/v1/north/1/vital/\#(last)", "payload": "250", "retain": true}"#
            await stranger.write((lines + [mark]).joined(separator: "\n") + "\n")
            return try await screen.waitFor("bed 1: a retained message at vital/\(last) was ignored")
        }
    }

    @Test("ignores and reports a value that the broker keeps, also where it comes while the screen listens")
    func kept() async throws {
        let ward = try await Ward()
        let bed = try await ward.startBed()
        let shown = try await ward.publish([], last: "heart_rate")
        #expect(shown.hasLiveBed && !shown.shows("250"))
        // A screen that starts later gets it as one that was kept.
        let other = try await Ward.startScreen(ward.broker)
        try await other.waitFor("bed 1: a retained message at vital/heart_rate was ignored")
        try await ward.waitUntilLive(other)
        withExtendedLifetime(bed) {}
    }

    @Test("takes nothing that comes again, in whatever order, for a sign of life or a present value")
    func repeated() async throws {
        let ward = try await Ward()
        let bed = try await ward.startBed()
        var lines: [String] = []
        while lines.count < 40 {
            lines.append(try await ward.next { !$0.contains("/session\"") && !$0.contains("/cmd/") })
        }
        let again = Array(lines.reversed()) + lines
        let live = try await ward.publish(again, last: "heart_rate")
        #expect(live.hasLiveBed && !live.shows("TWO MONITORS"))
        await bed.send(signal: SIGSTOP)
        try await ward.screen.waitUntil("the stopped bed is dark") { $0.shows("NO LINK") && !$0.hasLiveBed }
        let dark = try await ward.publish(again, last: "spo2")
        #expect(dark.shows("NO LINK") && !dark.hasLiveBed)
        await bed.send(signal: SIGCONT)
        try await ward.waitUntilLive(ward.screen)
    }

    @Test("goes by the present session when the last will of an earlier one comes after it")
    func lateWill() async throws {
        let ward = try await Ward()
        let first = try await ward.startBed()
        await first.send(signal: SIGKILL)
        let will = try await ward.next { $0.contains("/session\"") && $0.contains("offline") }
        try await ward.screen.waitFor("NO LINK")
        let second = try await ward.startBed()
        let kept = will.replacingOccurrences(of: "\"retain\": false", with: "\"retain\": true")
        let shown = try await ward.publish([kept], last: "heart_rate")
        #expect(shown.hasLiveBed && !shown.shows("NO LINK"))
        // The broker keeps the will of the session that is over, and a new screen gets it first.
        try await ward.waitUntilLive(try await Ward.startScreen(ward.broker))
        withExtendedLifetime(second) {}
    }

    @Test(
        "ages values by its own clock where the bed's is an hour off, and says so",
        .enabled(if: FakeTime.isHere), arguments: [1, -1])
    func clock(hours: Int) async throws {
        let ward = try await Ward()
        let bed = try await ward.startBed(FakeTime.environment(hours: hours))
        try await ward.screen.waitUntil("the clocks differ, and values are present") {
            $0.shows("CLOCK OFF") && $0.shows(hours > 0 ? "clock +60 min" : "clock −60 min") && $0.hasLiveBed
        }
        await bed.send(signal: SIGSTOP)
        try await ward.screen.waitUntil("the stopped bed is dark") { $0.shows("NO LINK") && !$0.hasLiveBed }
    }
}

/// libfaketime, which gives a program another wall clock.
private enum FakeTime {
    private static let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
    private static let library = folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
        .first { FileManager.default.fileExists(atPath: $0) }

    static var isHere: Bool { library != nil }

    /// What a program must find in its environment.
    static func environment(hours: Int) -> [String: String] {
        let offset = hours < 0 ? "\(hours)h" : "+\(hours)h"
        return ["LD_PRELOAD": library ?? "", "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1"]
    }
}
