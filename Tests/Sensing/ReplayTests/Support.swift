import Foundation
import Monitoring
import TestSupport
import Vitals

@testable import Recording
@testable import Replay

/// The capture that `btmon -w` wrote beside bluetoothd while `bedside watch --json` printed `steady-room.jsonl`.
let steadyRoom = captures + "/steady-room.btsnoop"

/// Where the captures are.
let captures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Captures"

extension ReplaySource {
    /// The next event, however long it must be searched for.
    mutating func nextEvent() throws -> MonitorEvent? {
        while true {
            switch try next() {
            case .event(let event): return event
            case .searching: continue
            case .end: return nil
            }
        }
    }

    /// Everything in a recording, from its beginning.
    mutating func all() throws -> [MonitorEvent] {
        seek(to: .min)
        var events: [MonitorEvent] = []
        while let event = try nextEvent() { events.append(event) }
        return events
    }
}

extension Sequence<MonitorEvent> {
    /// The readings among events.
    var readings: [Reading] {
        compactMap { if case .reading(let reading) = $0.kind { reading } else { nil } }
    }

    /// The phases of connections among events, with their reasons.
    var connections: [String] {
        compactMap { event in
            guard case .connection(let sensor, let state) = event.kind else { return nil }
            return "\(sensor.name) \(state.phase.rawValue)\(state.reason.map { " \($0.rawValue)" } ?? "")"
        }
    }
}

extension ScratchFolder {
    /// Writes a capture into the folder; answers its path.
    func write(_ script: CaptureScript, to name: String = "air.btsnoop") throws -> String {
        try write(script.octets, to: name)
    }

    /// Writes bytes into the folder; answers the file's path.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }
}

extension Moment {
    /// A number of milliseconds after an arbitrary moment.
    static func at(milliseconds: Int64) -> Moment {
        Moment(
            monotonicNanoseconds: 5_000_000_000_000 + milliseconds * 1_000_000,
            wallMilliseconds: 1_767_323_045_000 + milliseconds)
    }
}

extension SensorIdentity {
    static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10 1234", kind: .heartRateStrap)
    static let core = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE [1A]", kind: .core)
}

extension Reading {
    static func rate(_ value: Int, at moment: Moment, site: BodySite? = .chest) -> Reading {
        Reading(
            sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: value), .good), moment: moment,
            site: site)
    }

    static func noRate(_ reason: AbsenceReason, at moment: Moment) -> Reading {
        Reading(sensor: .strap, vital: .heartRate, outcome: .noMeasurement(reason), moment: moment)
    }
}

/// A store in a file, written as the recorder does.
final class WrittenStore {
    let path: String
    private let folder: ScratchFolder
    private let database: SQLiteDatabase
    private var readings: ReadingStore

    init() throws {
        folder = try ScratchFolder()
        path = folder.path + "/store.sqlite"
        database = try SQLiteDatabase(path: path)
        try Schema.migrate(database)
        let run = try RunTable(database: database).begin(at: .at(milliseconds: 0), programVersion: "1.0")
        readings = ReadingStore(database, run: run)
    }

    /// Begins another run of the program.
    func restart(at moment: Moment) throws {
        let run = try RunTable(database: database).begin(at: moment, programVersion: "1.0")
        readings = ReadingStore(database, run: run)
    }

    /// Writes a batch.
    func write(_ body: (inout ReadingStore) throws(StoreError) -> Void) throws {
        var draft = readings
        try database.transaction { () throws(StoreError) in
            try draft.begin()
            try body(&draft)
            try draft.settle()
        }
        readings = draft
    }

    /// Writes readings.
    func write(_ batch: [Reading]) throws {
        try write { (store) throws(StoreError) in
            for reading in batch { try store.append(reading) }
        }
    }
}
