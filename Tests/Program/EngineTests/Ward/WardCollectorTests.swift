import Configuration
import EventLoops
import Foundation
import Recording
import TestSupport
import Testing
import Vitals
import WardMessages

@testable import Engine

@Suite("What a collector keeps")
struct WardCollectorTests {
    private static let day: Int64 = 86_400_000
    private let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    /// Stores a reading of each of the last days.
    private func record(days: Int64, before now: Int64, in path: String) throws {
        try FileManager.default.createDirectory(
            atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
        let store = try CollectedStore(path: path, day: "2026-11-20", retention: Retention())
        let rows = (0..<days).map { back in
            let moment = Moment(
                monotonicNanoseconds: (1000 - back) * Self.day * 1_000_000, wallMilliseconds: now - back * Self.day)
            let reading = Reading(
                sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 72), .good), moment: moment)
            return RecordedBatch.Row(.reading(reading), run: 1, number: 7)
        }
        _ = try store.append(rows.reversed())
    }

    private func wallTimes(_ path: String) throws -> [Int64] {
        var times: [Int64] = []
        try #require(try StoredHistory.open(path)).forEachReading(in: .min ..< .max) {
            times.append($0.reading.moment.wallMilliseconds)
            return true
        }
        return times
    }

    @Test("is as old as the settings say also for beds that send nothing any more, real and simulated")
    func silentBeds() async throws {
        let folder = try ScratchFolder()
        let now = Timestamp.now()
        let paths = ["ward-2/12/one.sqlite", "ward-2/13/two.sqlite", "simulated/ward-3/1/three.sqlite"].map {
            "\(folder.path)/\($0)"
        }
        for path in paths { try record(days: 60, before: now.wallMilliseconds, in: path) }
        var settings = Settings.Recording()
        settings.keptDays = 30
        let running = RunningLoop()
        let collector = WardCollector(into: folder.path, settings, site: nil, on: running.loop) { _ in }
        var turns = 0
        while await collector.pruneClosedStore(now), turns < 1000 { turns += 1 }
        for path in paths {
            let times = try wallTimes(path)
            #expect((29...32).contains(times.count), "\(path): \(times.count)")
            #expect(times.allSatisfy { $0 > now.wallMilliseconds - 32 * Self.day })
        }
        // Not again before the next round.
        #expect(await !collector.pruneClosedStore(now))
    }
}
