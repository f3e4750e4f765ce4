import Base
import SensorDrivers
import VitalDecoders
import Vitals

/// A glucose meter (Glucose Service 1.0.1): stored records, fetched through the Record Access Control Point.
///
/// It sleeps until the user measures. Its clock is read and set first (2A2B, or 2A08 with Roche), then the records that
/// are not in the patient's record yet are requested (``RecordTransfer``). It measures the glucose of one drop of blood,
/// with the accuracy of test strips.
public struct GlucoseMeterDriver: SensorDriver {
    private let context: DriverContext
    private var clock = SensorClockOffset()
    private var transfer: RecordTransfer
    /// A record that waits for its context.
    private var pending: GlucoseMeasurement?
    private var hasContexts = false

    public init(_ context: DriverContext) {
        self.context = context
        transfer = RecordTransfer(after: context.newestSequence)
    }

    private static let measurement = CharacteristicType.glucoseMeasurement.uuid
    private static let contexts = CharacteristicType.glucoseMeasurementContext.uuid

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected(let attributes):
            guard attributes[Self.measurement]?.isNotifying == true,
                attributes[RecordTransfer.control]?.isWritable == true
            else {
                return [.refuse("It has the service of a glucose meter, but no records that can be asked for.")]
            }
            hasContexts = attributes[Self.contexts]?.isNotifying == true
            return SensorClockOffset.requests(attributes, context, at: now) + [.request(.subscribe(Self.measurement))]
                + (hasContexts ? [.request(.subscribe(Self.contexts, isOptional: true))] : [])
                + [.request(.subscribe(RecordTransfer.control)), transfer.ask()]
        case .read(let octets, let uuid):
            _ = clock.read(octets, of: uuid, context, at: now)
            return []
        case .received(let octets, let uuid): return received(octets, uuid, at: now)
        case .timerFired: return [transfer.ask()]
        case .newSensorAnswered, .nights: return []
        case .succeeded(let request), .failed(let request): return transfer.handled(request)
        }
    }

    private mutating func received(_ octets: [UInt8], _ uuid: BluetoothUUID, at now: Moment) -> [DriverAction] {
        do throws(MalformedValueError) {
            switch uuid {
            case Self.measurement:
                let value = try GlucoseMeasurement(octets)
                let before = flush(at: now) + transfer.received(sequence: Int(value.sequenceNumber))
                if transfer.isAborted { return before }
                pending = value
                return before + (value.contextFollows && hasContexts ? [] : flush(at: now))
            case Self.contexts: return flush(try GlucoseMeasurementContext(octets), at: now)
            case RecordTransfer.control:
                let actions = transfer.answered(try RecordAccessMessage(octets))
                return (actions.isEmpty ? [] : flush(at: now)) + actions
            default: return []
            }
        } catch {
            return [.malformed(octets, of: uuid, error)]
        }
    }

    /// Reports the record that waits for its context.
    private mutating func flush(
        _ circumstances: GlucoseMeasurementContext? = nil, at now: Moment
    ) -> [DriverAction] {
        guard let record = pending else { return [] }
        pending = nil
        let belongs = circumstances?.sequenceNumber == record.sequenceNumber
        return entry(record, belongs ? circumstances : nil, at: now)
    }

    /// The value of a record, or the reason for its absence; `nil` for a control solution.
    private static func content(of record: GlucoseMeasurement) -> RecordEntry.Content? {
        // A control solution tests the meter, and is no patient's.
        if record.sample?.source.isControlSolution == true { return nil }
        if let status = record.sensorStatus, let reason = AbsenceReason(unusable: status) {
            return .noMeasurement(.glucose, reason == .outOfRange ? status.side ?? reason : reason)
        }
        guard let sample = record.sample else { return .noMeasurement(.glucose, .notANumber) }
        if let reason = AbsenceReason(special: sample.clinicalConcentration) {
            return .noMeasurement(.glucose, reason)
        }
        guard let value = sample.milligrams, Vital.glucose.isMeasurable(value) else {
            return .noMeasurement(.glucose, .outOfRange)
        }
        return .vital(.glucose, value, site: sample.source.location == .finger ? .finger : nil)
    }

    private func entry(
        _ record: GlucoseMeasurement, _ circumstances: GlucoseMeasurementContext?, at now: Moment
    ) -> [DriverAction] {
        guard let content = Self.content(of: record) else { return [] }
        let time = DeviceTime(record.baseTime)?.advanced(byMinutes: Int(record.timeOffset ?? 0))
        let taken = clock.taken(record.baseTime, plus: record.timeOffset ?? 0, context, isStored: true, at: now)
        let remarks = [
            circumstances?.meal?.remark, record.sensorStatus.flatMap { $0.rawValue == 0 ? nil : $0.description },
        ]
        let remark = remarks.compactMap(\.self).joined(separator: ", ")
        return [
            .entry(
                content,
                EntryFacts(
                    deviceTime: time, sequence: Int(record.sequenceNumber), isTimeKnown: taken.isKnown,
                    quality: Reading.Quality(record.sensorStatus), remark: remark.isEmpty ? nil : remark),
                taken: taken.moment)
        ]
    }
}

extension GlucoseMeal {
    /// The meal, as shown behind a value; `nil` for an unassigned number.
    fileprivate var remark: String? {
        switch rawValue {
        case 1: "before a meal"
        case 2: "after a meal"
        case 5: "at bedtime"
        default: name
        }
    }
}

extension GlucoseSensorStatus {
    /// The side of the meter's range on which the result lies; `nil` when it reports neither or both.
    fileprivate var side: AbsenceReason? {
        switch (contains(.resultTooHigh), contains(.resultTooLow)) {
        case (true, false): .aboveRange
        case (false, true): .belowRange
        default: nil
        }
    }
}

extension GlucoseSample {
    /// The concentration in mg/dL; `nil` for a special.
    var milligrams: VitalValue? {
        guard let hundredths = clinicalConcentration.hundredths else { return nil }
        return VitalValue(
            hundredths: unit == .kilogramsPerLitre
                ? hundredths : GlucoseConcentrationUnit.milligrams(hundredthsOfMillimoles: hundredths))
    }
}
