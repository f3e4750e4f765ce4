import Base
import TestSupport
import Testing
import Vitals
import Waves

@testable import Recording

@Suite("Waves in the store")
struct WaveStoreTests {
    private var store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func all(in range: Range<Int64> = .min..<(.max), kinds: Set<WaveKind>? = nil) throws -> [RecordedWave] {
        var found: [RecordedWave] = []
        try StoredHistory(store.database).forEachWave(in: range, kinds: kinds) {
            found.append($0)
            return true
        }
        try store.database.execute("COMMIT")
        return found
    }

    private func wall(_ second: Int) -> Int64 { Moment.at(second).wallMilliseconds }

    @Test("come back as they were, with times to the microsecond, across pages")
    mutating func roundTrip() throws {
        var random = SeededGenerator(seed: 3)
        let segments = (0..<700).map { second -> WaveSegment in
            var segment = WaveSegment.ecg(at: second, random: &random)
            if second % 7 == 0 { (segment.lost, segment.isContinuing) = (second, false) }
            return segment
        }
        try store.write { (store) throws(StoreError) in
            for segment in segments { try store.append(WaveRow(segment)) }
        }
        let found = try all()
        #expect(found.count == segments.count)
        for (recorded, segment) in zip(found, segments) {
            var rounded = recorded.segment
            #expect(zip(rounded.offsets, segment.offsets).allSatisfy { abs($0 - $1) <= 1000 })
            rounded.spans = segment.spans
            #expect(rounded == segment)
            #expect(recorded.run == store.run)
        }
        #expect(try store.danglingReferences == 0)
    }

    @Test("any values fit, also those that are missing")
    func values() throws {
        var random = SeededGenerator(seed: 4)
        for kind in WaveKind.allCases {
            let count = 100
            let samples = (0..<count * kind.traits.channels).map { _ in
                [Int32.min, .max, 0, Int32.random(in: .min...(.max), using: &random)][
                    Int.random(in: 0..<4, using: &random)]
            }
            let segment = WaveSegment(
                sensor: .strap, kind: kind, start: .at(1), samples: samples, beats: [0, 5, 99],
                spans: [.init(count: 40, nanoseconds: 7_000), .init(count: 60, nanoseconds: 999_000)])
            #expect(WaveRow(segment).segment == segment)
        }
    }

    @Test("rows that no version has written are none, and keep no others from being read")
    mutating func malformed() throws {
        var random = SeededGenerator(seed: 5)
        let segment = WaveSegment.ecg(at: 1, random: &random)
        var rows = [WaveRow](repeating: WaveRow(segment), count: 6)
        rows[0].samples.removeLast()
        rows[1].samples += [0]
        rows[2].spans = [2, 2, 0x80]
        rows[3].beats = [0x7E, 0x7E, 0x7E]
        rows[4].spans = []
        let written = rows
        try store.write { (store) throws(StoreError) in for row in written { try store.append(row) } }
        let found = try all()
        #expect(found.map(\.number) == [5])
        #expect(found.first?.segment.samples == segment.samples)
        for _ in 0..<2000 {
            var row = WaveRow(segment)
            row.spans = (0..<Int.random(in: 0..<6, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            row.samples = (0..<Int.random(in: 0..<9, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            if let read = row.segment { #expect(read.offsets.count == read.count) }
        }
    }

    @Test("of a period are cut off at its ends, of the wanted kinds")
    mutating func period() throws {
        var random = SeededGenerator(seed: 6)
        let ecg = (0..<20).map { WaveSegment.ecg(at: $0, random: &random) }
        let pleth = WaveSegment(
            sensor: .core, kind: .plethysmogram, start: .at(5), samples: [1, 2],
            spans: [.init(count: 2, nanoseconds: 100)])
        try store.write { (store) throws(StoreError) in
            for segment in ecg + [pleth] { try store.append(WaveRow(segment)) }
        }
        let (from, to) = (wall(5) + 500, wall(8) + 250)
        let found = try all(in: from..<to, kinds: [.electrocardiogram])
        let times = found.flatMap { recorded in
            recorded.segment.offsets.map { recorded.segment.start.wallMilliseconds + $0 / 1_000_000 }
        }
        #expect(found.count == 4)
        #expect(times.allSatisfy { (from..<to).contains($0) })
        #expect(abs(times.count - 130 * 275 / 100) <= 2)
        #expect(found.first?.segment.isContinuing == false)
        #expect(try StoredHistory(store.database).waveSources(in: from..<to).map(\.sensor) == [.core, .strap])
    }

    @Test("a night of an ECG is at most 12 MB")
    mutating func night() throws {
        var random = SeededGenerator(seed: 8)
        let minute = (0..<60).map { WaveSegment.ecg(at: $0, random: &random) }
        let before = try Retention.usedSize(of: store.database)
        for number in 0..<60 {
            try store.write { (store) throws(StoreError) in
                for (second, segment) in minute.enumerated() {
                    var segment = segment
                    segment.start = .at(number * 60 + second)
                    try store.append(WaveRow(segment))
                }
            }
        }
        let hour = try Retention.usedSize(of: store.database) - before
        #expect(hour * 8 < 8_000_000)
    }

    @Test("are erased by an age of their own, and never kept for longer than readings")
    mutating func age() throws {
        try write(seconds: 12_000)
        try store.readings.recorded(until: .at(12_000))
        let now = wall(12_000)
        #expect(try Retention(waveAge: .seconds(1000)).prune(store.database, now: now))
        #expect(try count("wave") == 7000)
        while try Retention(waveAge: .seconds(1000)).prune(store.database, now: now) {}
        #expect(try count("wave") == 1000)
        #expect(try count("reading") == 12_000)
        while try Retention(age: .seconds(500), waveAge: .seconds(1000)).prune(store.database, now: now) {}
        #expect(try count("wave") == 500)
        while try Retention(age: .seconds(100)).prune(store.database, now: now) {}
        #expect(try count("wave") == 100)
    }

    @Test("are the first to go when the store is too large, the oldest first, and readings only after them")
    mutating func size() throws {
        try write(seconds: 20_000)
        let before = try Retention.usedSize(of: store.database)
        while try Retention(size: before * 2 / 3).prune(store.database, now: 0) {}
        #expect(try count("reading") == 20_000)
        #expect(try (5000..<15_000).contains(count("wave")))
        #expect(try store.database.integer("SELECT max(wall_ms) FROM wave") == wall(19_999))
        while try Retention(size: 400_000).prune(store.database, now: 0) {}
        #expect(try count("reading") < 20_000)
        #expect(try count("wave") <= 5000)
    }

    private mutating func write(seconds: Int) throws {
        for begin in stride(from: 0, to: seconds, by: 2000) {
            try store.write { (store) throws(StoreError) in
                for second in begin..<begin + 2000 {
                    try store.append(.rate(60, at: .at(second)))
                    try store.append(
                        WaveRow(
                            WaveSegment(
                                sensor: .strap, kind: .electrocardiogram, start: .at(second),
                                samples: (0..<130).map { $0 * $0 % 300 },
                                spans: [.init(count: 130, nanoseconds: 1_000_000_000)])))
                }
            }
        }
    }

    private func count(_ table: String) throws -> Int64 {
        try store.database.integer("SELECT count(*) FROM \(table)") ?? -1
    }
}

extension WaveSegment {
    /// A second of an ECG of 130 samples a second, with noise and a beat.
    static func ecg(at second: Int, random: inout SeededGenerator) -> WaveSegment {
        let samples = (0..<130).map { index -> Int32 in
            let noise = Int32.random(in: -25...25, using: &random)
            return noise
                + (index == 40 ? 900 : index == 41 ? 1100 : index == 42 ? -250 : (80...100).contains(index) ? 200 : 0)
        }
        return WaveSegment(
            sensor: .strap, kind: .electrocardiogram, start: .at(second), samples: samples,
            spans: [.init(count: 73, nanoseconds: 561_538_400), .init(count: 57, nanoseconds: 438_461_600)])
    }
}
