import Base
import SensorDrivers
import VitalDecoders
import Vitals

/// A blood-pressure monitor (Blood Pressure Service 1.1.1).
///
/// It sleeps until the user measures, then advertises for some seconds. Many send nothing before their clock is set:
/// Current Time (2A2B) or, with A&D and Nipro, Date Time (2A08). Stored measurements come first, then the link ends. It
/// measures the pressure at one moment, by the oscillometric method, at the upper arm or the wrist.
public struct BloodPressureDriver: SensorDriver {
    private let context: DriverContext
    private var clock = SensorClockOffset()
    /// When the measurements were subscribed to; a measurement whose cuff pressure was seen is not a stored one.
    private var subscribedAt: Moment?

    public init(_ context: DriverContext) { self.context = context }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected(let attributes):
            guard attributes[Self.measurement]?.isNotifying == true else {
                return [.refuse("It has the service of a blood-pressure monitor, but no measurements.")]
            }
            let cuff = attributes[Self.cuff]?.isNotifying == true
            return SensorClockOffset.requests(attributes, context, at: now)
                + (cuff ? [.request(.subscribe(Self.cuff, isOptional: true))] : [])
                + [.request(.subscribe(Self.measurement))]
        case .succeeded(let request):
            // From now on it may inflate for a minute, or stay silent as long as it is on.
            guard request.uuid == Self.measurement else { return [] }
            subscribedAt = now
            return [.streaming]
        case .read(let octets, let uuid):
            _ = clock.read(octets, of: uuid, context, at: now)
            return []
        case .received(let octets, let uuid): return received(octets, uuid, at: now)
        case .failed, .timerFired, .newSensorAnswered, .nights: return []
        }
    }

    private static let measurement = CharacteristicType.bloodPressureMeasurement.uuid
    private static let cuff = CharacteristicType.intermediateCuffPressure.uuid

    private mutating func received(_ octets: [UInt8], _ uuid: BluetoothUUID, at now: Moment) -> [DriverAction] {
        do throws(MalformedValueError) {
            if uuid == Self.cuff {
                subscribedAt = nil
                let value = try IntermediateCuffPressure(octets)
                guard let pressure = value.cuffPressure.millimetres(value.unit), (0...400).contains(pressure) else {
                    return []
                }
                return [.cuffPressure(pressure)]
            }
            return measured(try BloodPressureMeasurement(octets), at: now)
        } catch {
            return [.malformed(octets, of: uuid, error)]
        }
    }

    private func measured(_ value: BloodPressureMeasurement, at now: Moment) -> [DriverAction] {
        let circumstances = value.circumstances
        let content = Self.content(of: value)
        let time = circumstances.timestamp.flatMap { DeviceTime($0) }
        let taken = clock.taken(circumstances.timestamp, context, at: now)
        let status = circumstances.measurementStatus
        let noticed = status?.names ?? []
        let facts = EntryFacts(
            deviceTime: time, isTimeKnown: taken.isKnown, quality: Reading.Quality(status),
            remark: noticed.isEmpty ? nil : noticed.joined(separator: ", "),
            user: circumstances.userIdentifier.map { Int($0) },
            mayBeStored: circumstances.timestamp == nil
                && subscribedAt.map { now.since($0) < SensorClockOffset.handingOver } == true)
        let entry = DriverAction.entry(content, facts, taken: taken.moment)
        guard case .noMeasurement = content else { return [entry] }
        return [entry, .notice("It measured without a result. Check the cuff, and measure again.")]
    }

    /// The pressures, or the reason for their absence.
    private static func content(of value: BloodPressureMeasurement) -> RecordEntry.Content {
        if let reason = value.circumstances.measurementStatus.flatMap({ AbsenceReason(unusable: $0) }) {
            return .noMeasurement(.bloodPressure, reason)
        }
        for number in [value.systolic, value.diastolic] {
            if let reason = AbsenceReason(special: number.value) { return .noMeasurement(.bloodPressure, reason) }
        }
        guard let systolic = value.systolic.millimetres(value.unit),
            let diastolic = value.diastolic.millimetres(value.unit), BloodPressure.isPossible(systolic, diastolic)
        else { return .noMeasurement(.bloodPressure, .outOfRange) }
        let mean = value.meanArterialPressure.millimetres(value.unit).flatMap {
            (diastolic...systolic).contains($0) ? $0 : nil
        }
        let rate = value.circumstances.pulseRate?.value.hundredths.map { VitalValue(hundredths: $0) }
        let pulse = rate.flatMap { Vital.pulseRate.isMeasurable($0) ? ($0.hundredths + 50) / 100 : nil }
        return .bloodPressure(BloodPressure(systolic: systolic, diastolic: diastolic, mean: mean, pulse: pulse))
    }
}

extension MedicalShortFloat {
    /// A pressure in whole mmHg, rounded half up; `nil` for a special value.
    func millimetres(_ unit: PressureUnit) -> Int? {
        guard let hundredths = value.hundredths, (-100_000...100_000).contains(hundredths) else { return nil }
        // 1 kPa is 7.50062 mmHg.
        let exact = unit == .kilopascals ? hundredths * 750_062 / 100_000 : hundredths
        return (exact + 50) / 100
    }
}
