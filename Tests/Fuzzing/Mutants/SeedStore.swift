import Foundation
import Monitoring
import TestSupport
import Vitals
import Waves

@testable import Recording

/// A store as the recorder writes it, with something in every table.
enum SeedStore {
    /// When it begins, in milliseconds since 1970 (UTC).
    static let start: Int64 = 1_767_323_045_000

    /// The bytes of the file.
    static let bytes: [UInt8] = {
        // What cannot be written here fails in the first test that reads it.
        guard let folder = try? ScratchFolder(), (try? write(to: folder.path + "/store.sqlite")) != nil,
            let data = try? Data(contentsOf: URL(filePath: folder.path + "/store.sqlite"))
        else { return [] }
        return [UInt8](data)
    }()

    private static func moment(_ seconds: Double) -> Moment {
        Moment(
            monotonicNanoseconds: 5_000_000_000_000 + Int64(seconds * 1e9),
            wallMilliseconds: start + Int64(seconds * 1000))
    }

    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    private static let core = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE [1A]", kind: .core)

    private static func write(to path: String) throws {
        let database = try SQLiteDatabase(path: path)
        try Schema.migrate(database)
        let memory = MemoryStore(database: database)
        try memory.write(
            .remembered(
                RememberedSensor(
                    address: strap.address, name: strap.name, kind: strap.kind, isWanted: true,
                    assignedVitals: [.heartRate])))
        let high = AlarmLimit(VitalValue(whole: 130), .high, delay: .seconds(10))
        try memory.write(
            .patient(
                MonitorMemory(
                    limits: [.init(vital: .heartRate, setting: .limit(.high, high))],
                    neutrophils: NeutrophilCount(perMicrolitre: 450, sampledAt: start))))
        try memory.write(
            .links([OwnedLink(address: strap.address, bus: "0123456789abcdef", daemon: ":1.3", client: ":1.7")]))
        try memory.write(.runningWaves([RunningWave(address: strap.address, kind: .electrocardiogram)]))
        for begin in [0.0, 7200] {
            let run = try RunTable(database: database).begin(at: moment(begin), programVersion: "1.0")
            var store = ReadingStore(database, run: run)
            try database.transaction { () throws(StoreError) in
                try store.begin()
                for second in 0..<120 { try append(begin + Double(second), second, to: &store) }
                try store.append(
                    Gap(from: moment(begin + 130), to: moment(begin + 190), reason: .asleep), reason: "asleep")
                for second in 200..<260 { try append(begin + Double(second), second, to: &store) }
                try store.settle()
            }
            try AlarmStore(database: database).append(alarm(at: moment(begin + 60)), run: run)
            let entries = EntryStore(database: database)
            try entries.append(
                RecordEntry(
                    .vital(.bodyTemperature, VitalValue(hundredths: 3890), site: .ear), enteredAt: moment(begin + 30)),
                run: run)
            try entries.append(RecordEntry(.note("sleeps"), enteredAt: moment(begin + 31)), run: run)
        }
    }

    private static func append(
        _ seconds: Double, _ number: Int, to store: inout ReadingStore
    ) throws(StoreError) {
        let now = moment(seconds)
        try store.append(
            RawNotification(
                source: .sensor(strap), characteristic: "2A37", octets: [0x06, UInt8(80 + number % 60)], moment: now))
        try store.append(
            Reading(
                sensor: strap, vital: .heartRate,
                outcome: .measured(VitalValue(whole: 80 + number % 60), .good), moment: now, site: .chest))
        guard number % 10 == 0 else { return }
        try store.append(
            Reading(
                sensor: core, vital: .bodyTemperature,
                outcome: number % 20 == 0
                    ? .measured(VitalValue(hundredths: 3700 + number), .good) : .noMeasurement(.offBody),
                moment: now, site: .core,
                deviceTime: DeviceTime(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5)))
    }

    private static func alarm(at moment: Moment) -> AlarmLogEntry {
        AlarmLogEntry(
            moment: moment,
            content: .change(
                AlarmLogEntry.Change(
                    AlarmReport(
                        id: 3, kind: .high, priority: .high, sensor: strap, vital: .heartRate, site: .chest,
                        value: VitalValue(whole: 139), peak: VitalValue(whole: 139), limit: VitalValue(whole: 120),
                        sinceWallMilliseconds: moment.wallMilliseconds, text: "HR 139"), .active)))
    }
}
