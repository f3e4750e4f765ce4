import Foundation
import Monitoring
import Vitals

@testable import Sending

extension Moment {
    /// A number of seconds after the beginning of a minute.
    static func at(_ seconds: Double) -> Moment {
        Moment(
            monotonicNanoseconds: Int64(seconds * 1_000_000_000),
            wallMilliseconds: 1_767_322_980_000 + Int64(seconds * 1000))
    }
}

extension SensorIdentity {
    static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    static let transmitter = SensorIdentity(address: "C0:52:49:00:00:09", name: "Dexcom", kind: .continuousGlucose)
}

extension RecordedRow {
    /// A reading.
    static func reading(
        _ outcome: Reading.Outcome, at seconds: Double, _ vital: Vital = .heartRate,
        from sensor: SensorIdentity = .strap,
        late: LateInterval? = nil, number: Int64 = 0
    ) -> RecordedRow {
        RecordedRow(
            .reading(Reading(sensor: sensor, vital: vital, outcome: outcome, moment: .at(seconds), late: late)), run: 1,
            number: number)
    }

    /// A heart rate.
    static func rate(_ value: Int, _ quality: Reading.Quality = .good, at seconds: Double) -> RecordedRow {
        reading(.measured(VitalValue(whole: value), quality), at: seconds)
    }

    /// An entry of the first patient.
    static func entry(_ entry: RecordEntry, patient: Int = 1) -> RecordedRow {
        RecordedRow(.entry(entry, patient: patient), run: 1, number: 1)
    }

    /// A change of an alarm.
    static func alarm(_ state: AlarmLogEntry.State, at seconds: Double, number: Int64 = 1) -> RecordedRow {
        let report = AlarmReport(
            id: 3, kind: .low, priority: .high, sensor: .strap, vital: .heartRate, value: VitalValue(whole: 43),
            limit: VitalValue(whole: 50), sinceWallMilliseconds: Moment.at(0).wallMilliseconds,
            text: "Heart rate low 43 < 50")
        return RecordedRow(
            .alarmLog(AlarmLogEntry(moment: .at(seconds), run: 1, content: .change(.init(report, state)))), run: 1,
            number: number)
    }
}

/// The object in JSON.
func object(_ bytes: [UInt8]) throws -> Any { try JSONSerialization.jsonObject(with: Data(bytes)) }
