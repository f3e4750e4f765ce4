import Foundation
import Nights
import TestSupport
import Testing
import Vitals

@testable import Recording

struct NightStoreTests {
    private static let ring = SensorIdentity(address: "C0:52:49:00:00:09", name: "O2Ring", kind: .oximeter)

    private static func night(_ name: String, start: Int64 = 1_790_000_000_000) -> StoredNight {
        StoredNight(
            sensor: ring, name: name, start: start, interval: 4,
            samples: [
                NightSample(saturation: 97, pulseRate: 60, movement: 0),
                NightSample(saturation: nil, pulseRate: nil, movement: 7),
                NightSample(saturation: 88, pulseRate: 300),
            ])
    }

    private func stored(_ nights: [StoredNight]) throws -> StoredHistory {
        let database = try SQLiteDatabase(path: ":memory:")
        try Schema.migrate(database)
        let now = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_790_030_000_000)
        let run = try RunTable(database: database).begin(at: now, programVersion: "1")
        for night in nights { try NightStore(database: database).append(night, at: now, run: run) }
        return try StoredHistory(database)
    }

    private func nights(of history: StoredHistory, in range: Range<Int64>) throws -> [StoredNight] {
        var found: [StoredNight] = []
        try history.forEachNight(in: range) {
            found.append($0)
            return true
        }
        return found
    }

    @Test("a night is read as it was written, and only where some of its samples lie")
    func roundTrip() throws {
        let night = Self.night("20260921221320")
        let history = try stored([night])
        #expect(try nights(of: history, in: 0..<(.max)) == [night])
        #expect(try nights(of: history, in: night.start + 11_999..<night.start + 12_001) == [night])
        #expect(try nights(of: history, in: night.end..<(.max)).isEmpty)
        #expect(try nights(of: history, in: 0..<night.start).isEmpty)
    }

    @Test("nights that are written beside a monitor are there once, and a damaged store stays as it is")
    func writer() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/store.sqlite"
        let now = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_790_030_000_000)
        var imported = Self.night("imported")
        imported.importedFrom = "night.csv (csv)"
        for _ in 0..<2 {
            try NightWriter.write([Self.night("1"), imported], at: now, to: path, programVersion: "1")
        }
        let history = try #require(try StoredHistory.open(path))
        #expect(try nights(of: history, in: 0..<(.max)) == [Self.night("1"), imported])
        #expect(try history.nightNames() == [Self.ring.address: ["1"]])
        let damaged = try folder.write(String(repeating: "no store ", count: 500), to: "damaged.sqlite")
        let before = try Data(contentsOf: URL(fileURLWithPath: damaged))
        #expect(throws: StoreError.self) {
            try NightWriter.write([imported], at: now, to: damaged, programVersion: "1")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: damaged)) == before)
    }

    @Test("a night that comes twice is one night, and the first one stays")
    func twice() throws {
        var other = Self.night("20260921221320")
        other.samples = []
        let history = try stored([Self.night("20260921221320"), other, Self.night("20260922221320")])
        #expect(try nights(of: history, in: 0..<(.max)).map(\.samples.count) == [3, 3])
        #expect(try history.nightNames() == [Self.ring.address: ["20260921221320", "20260922221320"]])
    }
}
