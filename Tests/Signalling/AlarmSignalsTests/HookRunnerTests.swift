import Foundation
import TestSupport
import Testing

@testable import AlarmSignals

@Suite("The user's own command")
struct HookRunnerTests {
    let running = RunningLoop()
    let errors = Recorder<String>()
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// - Parameter timeLimit: One that no command reaches, by default, however busy the computer is.
    private func runner(_ command: String, timeLimit: Duration = .seconds(3600)) -> HookRunner {
        HookRunner(command: command, loop: running.loop, timeLimit: timeLimit) { [errors] in errors.record($0) }
    }

    /// Hands over events `0`, `1` and so on; no other test's work comes between them, as all happens on the loop.
    private func run(_ count: Int, _ runner: HookRunner) async {
        await running.run { _ in
            for number in 0..<count { await runner.run(input: Array("\(number)\n".utf8)) }
        }
    }

    private func text(_ name: String) -> String {
        (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
    }

    private func tidy() {
        try? FileManager.default.removeItem(at: folder)
    }

    @Test("gets each event on its standard input")
    func input() async throws {
        defer { tidy() }
        let runner = runner("cat >>'\(folder.path)/got'; echo . >>'\(folder.path)/done'")
        await runner.run(input: Array("{\"event\":\"alarm\"}\n".utf8))
        try await awaitCondition("the command has run") { text("done") == ".\n" }
        #expect(text("got") == "{\"event\":\"alarm\"}\n")
        #expect(errors.elements.isEmpty)
    }

    @Test("that reads nothing does not matter")
    func unread() async throws {
        defer { tidy() }
        let runner = runner("echo . >>'\(folder.path)/done'")
        await runner.run(input: [UInt8](repeating: 0x20, count: 60_000))
        try await awaitCondition("the command has run") { text("done") == ".\n" }
        #expect(errors.elements.isEmpty)
    }

    @Test(
        "that fails is reported with what can be done",
        arguments: [
            ("exit 3", "The hook failed with status 3."),
            (
                "/nonexistent/hook",
                "The hook's command was not found (status 127); check its name in the configuration."
            ),
            ("kill -9 $$", "The hook was ended by signal 9."),
        ])
    func failing(command: String, sentence: String) async throws {
        defer { tidy() }
        let runner = runner(command)
        await runner.run(input: [])
        try await awaitCondition("the failure is reported") { !errors.elements.isEmpty }
        #expect(errors.elements == [sentence])
    }

    @Test("that hangs is ended with all that it started")
    func hanging() async throws {
        defer { tidy() }
        var (limit, ends, child) = (Duration.milliseconds(100), 0, Int32?.none)
        // On a busy computer the limit may pass before the command has started anything.
        while child == nil {
            limit *= 2
            ends += 1
            let runner = runner("sleep 1000 & echo $! >'\(folder.path)/child'; wait", timeLimit: limit)
            await runner.run(input: [])
            try await awaitCondition("the error is reported") { errors.count == ends }
            await runner.finish(within: .seconds(600))
            child = Int32(text("child").trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let seconds = limit.components.seconds
        #expect(errors.elements.last == "The hook was ended, because it ran for more than \(seconds) s.")
        // Its new parent may be a process that never asks how it ended.
        let process = try #require(child)
        try await awaitCondition("its child is gone") { state(of: process).map { "ZX".contains($0) } ?? true }
    }

    private func state(of process: Int32) -> Character? {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.components(separatedBy: ") ").last?.first
    }

    @Test("runs for events in their order, never more than a few at a time, and none is lost in a burst")
    func burst() async throws {
        defer { tidy() }
        let runner = runner("cat >>'\(folder.path)/got'")
        await run(40, runner)
        try await awaitCondition("all have run") { text("got").split(separator: "\n").count == 40 }
        #expect(Set(text("got").split(separator: "\n")) == Set((0..<40).map { "\($0)" }))
        #expect(errors.elements.isEmpty)
    }

    @Test("that cannot keep up loses the oldest events that wait, and that is reported")
    func overload() async throws {
        defer { tidy() }
        let gate = folder.appendingPathComponent("gate").path
        let runner = runner("while ! test -e '\(gate)'; do sleep 0.05; done; cat >>'\(folder.path)/got'")
        let count = HookRunner.concurrentLimit + HookRunner.queueLimit + 3
        await run(count, runner)
        #expect(errors.elements.count == 3)
        _ = FileManager.default.createFile(atPath: gate, contents: nil)
        try await awaitCondition("the others have run") { text("got").split(separator: "\n").count == count - 3 }
        let lost = (HookRunner.concurrentLimit..<(HookRunner.concurrentLimit + 3)).map { "\($0)" }
        #expect(Set(text("got").split(separator: "\n").map(String.init)).isDisjoint(with: lost))
    }

    @Test("that is replaced while it runs continues, gets what waits, and leaves no zombie")
    func replaced() async throws {
        defer { tidy() }
        let gate = folder.appendingPathComponent("gate").path
        let command = "echo $$ >>'\(folder.path)/shells'; while ! test -e '\(gate)'; do sleep 0.05; done; "
        let count = HookRunner.concurrentLimit + 3
        do {
            let runner = runner(command + "cat >>'\(folder.path)/got'")
            await run(count, runner)
            try await awaitCondition("some run") {
                text("shells").split(separator: "\n").count == HookRunner.concurrentLimit
            }
            let loop = running.loop
            Task(executorPreference: loop) { await runner.finish(within: .seconds(600)) }
        }
        _ = FileManager.default.createFile(atPath: gate, contents: nil)
        try await awaitCondition("all have run") { text("got").split(separator: "\n").count == count }
        let shells = text("shells").split(separator: "\n").compactMap { Int32($0) }
        try await awaitCondition("all are reaped") { shells.allSatisfy { state(of: $0) != "Z" } }
        #expect(shells.count == count)
    }

    @Test("that is too slow for the end of the program gets every event all the same, and is not waited for")
    func ending() async throws {
        defer { tidy() }
        let gate = folder.appendingPathComponent("gate").path
        let runner = runner("while ! test -e '\(gate)'; do sleep 0.05; done; cat >>'\(folder.path)/got'")
        let count = HookRunner.concurrentLimit + 5
        await run(count, runner)
        await runner.finish(within: .milliseconds(20))
        await runner.run(input: Array("too late\n".utf8))
        _ = FileManager.default.createFile(atPath: gate, contents: nil)
        try await awaitCondition("all have run") { text("got").split(separator: "\n").count == count }
        #expect(Set(text("got").split(separator: "\n")) == Set((0..<count).map { "\($0)" }))
    }

    @Test("that is quick has done everything when the end has been waited for")
    func finishing() async throws {
        defer { tidy() }
        let runner = runner("cat >>'\(folder.path)/got'")
        await run(20, runner)
        await runner.finish(within: .seconds(600))
        #expect(text("got").split(separator: "\n").count == 20)
        await runner.finish(within: .seconds(600))
    }
}
