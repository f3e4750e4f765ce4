import BlueZSimulator
import Foundation
import TestSupport
import Testing

/// The nights of simulated rings, fetched through the bus and added up by a program in Python that shares nothing with
/// the simulator.
@Suite(
    "Nights that another program fetches", .timeLimit(.minutes(5)),
    .enabled(if: PythonScript.isHere(with: "dbus, gi"), "Debian's packages python3-dbus and python3-gi are missing"))
struct NightPeerTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../clients/ring.py").standardized.path

    /// The lines of the other program, and what the simulated ring says at the end.
    private static func fetch(
        _ scenario: String, _ ring: String, _ order: [String] = []
    ) async throws -> (lines: [[String: Any]], state: [String: Any]) {
        // Quick packets in a real time: a device must not be forgotten because Python starts slowly.
        let simulator = Simulator(try Scenario.load(path: scenario))
        let address = try await simulator.start()
        #expect(await simulator.perform(command: "latency 0.002") == "ok")
        let outcome = try await run([script, ring] + order, at: address)
        let state = await simulator.perform(command: "state")
        await simulator.stop()
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errorOutput)")
        let lines = try outcome.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let sensors = try #require(try JSONSerialization.jsonObject(with: Data(state.utf8)) as? [String: Any])
        let sensor = sensors.values.compactMap { $0 as? [String: Any] }.first { $0["name"] as? String == ring }
        return (lines, try #require(sensor?["files"] as? [String: Any]))
    }

    /// Runs Python to its end.
    private static func run(
        _ arguments: [String], at address: String
    ) async throws -> (status: Int32, output: String, errorOutput: String) {
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = arguments
        python.environment = ProcessInfo.processInfo.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": address]) { $1 }
        let (output, errorOutput) = (Pipe.keptFromChildren(), Pipe.keptFromChildren())
        (python.standardOutput, python.standardError) = (output, errorOutput)
        // What it prints fits into a pipe.
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            python.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try python.run() } catch { continuation.resume(throwing: error) }
        }
        func text(_ pipe: Pipe) -> String {
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        return (status, text(output), text(errorOutput))
    }

    @Test(
        "of each generation come out whole, with the falls that the scenario describes",
        arguments: [
            ("ring-nights", "O2Ring 0553", [6300, 6300, 6750, 7200]),
            ("ring-s-nights", "O2Ring S 0554", [25_200, 27_000, 28_800]),
        ])
    func whole(scenario: String, ring: String, counts: [Int]) async throws {
        let (lines, state) = try await Self.fetch(scenario, ring)
        let names = try #require(lines.first?["names"] as? [String])
        #expect(names.count == 4 && names.sorted() == names && names.allSatisfy { $0.count == 14 })
        let nights = Array(lines.dropFirst())
        #expect(nights.compactMap { $0["name"] as? String } == names)
        let finished = nights.prefix(counts.count)
        #expect(finished.compactMap { $0["samples"] as? Int } == counts)
        #expect(finished.allSatisfy { $0["finished"] as? Bool == true })
        #expect(finished.compactMap { $0["falls"] as? Int } == [0, 42, 150, 280].suffix(counts.count))
        // Seven minutes off the finger, and one with a weak pulse.
        let missing = finished.compactMap { $0["none"] as? Int }
        #expect(missing == [0, 0, counts.count == 4 ? 120 : 480, 0].suffix(counts.count))
        for night in finished {
            let (sum, count) = (try #require(night["saturation"] as? Int), try #require(night["samples"] as? Int))
            #expect((90...97).contains(sum / count))
        }
        if counts.count < 4 {
            // The newest is still being written.
            #expect(nights[3]["finished"] as? Bool == false)
            #expect((1800...7200).contains(try #require(nights[3]["samples"] as? Int)))
        }
        #expect(state["opened"] as? Int == 4 && state["closed"] as? Int == 4 && state["forbidden"] as? [String] == [])
    }

    @Test(
        "are fetched through a link that breaks and a ring that is busy, and the damaged ones are seen as such",
        arguments: [("ring-nights-damaged", "O2Ring 0553"), ("ring-s-nights-damaged", "O2Ring S 0554")])
    func damaged(scenario: String, ring: String) async throws {
        let (lines, state) = try await Self.fetch(scenario, ring)
        let names = try #require(lines.first { $0["names"] != nil }?["names"] as? [String])
        #expect(names.count == 4 && names[2] == "../../.night\u{1B}[2J")
        #expect(lines.count { $0["broken"] != nil } == 1)
        // The first attempt of all to open a file was refused.
        #expect(lines.contains { $0["name"] as? String == names[0] && $0["octets"] is NSNull })
        let nights = lines.filter { $0["samples"] != nil }
        #expect(nights.compactMap { $0["name"] as? String } == Array(names.dropFirst()))
        // Of the third, only what the ring announces is wrong.
        #expect(nights.compactMap { $0["finished"] as? Bool } == [false, true, false])
        #expect(state["opened"] as? Int ?? 0 >= 3)
    }

    @Test("are refused by a newer ring that was asked for live values in the same link")
    func live() async throws {
        let (lines, state) = try await Self.fetch("ring-s-nights", "O2Ring S 0554", ["live"])
        #expect(lines.filter { $0["refused"] as? String == "f2" && $0["flag"] as? String == "f2" }.count == 4)
        #expect(state["opened"] as? Int == 0)
    }

    @Test("are gone with a ring that was sent a command that nobody may send")
    func forbidden() async throws {
        let (lines, state) = try await Self.fetch("ring-s-nights", "O2Ring S 0554", ["e3"])
        #expect(lines.first?["dead"] as? Bool == true && state["forbidden"] as? [String] == ["E3"])
    }
}
