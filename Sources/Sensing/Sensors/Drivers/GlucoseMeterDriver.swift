import Base
import VitalDecoders
import Vitals

/// A glucose meter (Glucose Service 1.0.1): stored records, fetched through the Record Access Control Point.
///
/// It sleeps until the user measures. Its clock is read and set first (2A2B, or 2A08 with Roche), then the records that
/// are not in the patient's record yet are requested. Quirk meters-count-backwards: a meter that was reset counts from
/// the beginning, so the last record is requested when there are none after the newest known one. It measures the
/// glucose of one drop of blood, with the accuracy of test strips.
struct GlucoseMeterDriver: SensorDriver {
    private let context: DriverContext
    private var clock = SensorClockOffset()
    private var request = Request.newRecords
    /// A record that waits for its context.
    private var pending: GlucoseMeasurement?
    private var hasContexts = false
    /// Whether its last record has a smaller number than a known one.
    private var countsAnew = false
    /// The greatest number of the records since the last request; `nil` for none.
    private var newest: Int?
    /// Whether they arrived in the order of their numbers, so that none before the newest is missing.
    private var isInOrder = true
    /// How often the meter was busy, or did not complete a request.
    private var repetitions = 0

    /// The requested records.
    private enum Request { case newRecords, lastRecord, allRecords }

    init(_ context: DriverContext) {
        self.context = context
        request = context.newestSequence == nil ? .allRecords : .newRecords
    }

    private static let measurement = CharacteristicType.glucoseMeasurement.uuid
    private static let contexts = CharacteristicType.glucoseMeasurementContext.uuid
    private static let control = CharacteristicType.recordAccessControlPoint.uuid
    /// The pause before a busy meter is asked again, and the number of repetitions.
    private static let pause = Duration.seconds(3)
    private static let mostRepetitions = 3

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected(let attributes):
            guard attributes[Self.measurement]?.isNotifying == true, attributes[Self.control]?.isWritable == true else {
                return [.refuse("It has the service of a glucose meter, but no records that can be asked for.")]
            }
            hasContexts = attributes[Self.contexts]?.isNotifying == true
            return SensorClockOffset.requests(attributes, context, at: now) + [.request(.subscribe(Self.measurement))]
                + (hasContexts ? [.request(.subscribe(Self.contexts, isOptional: true))] : [])
                + [.request(.subscribe(Self.control)), ask()]
        case .read(let octets, let uuid):
            _ = clock.read(octets, of: uuid, context, at: now)
            return []
        case .received(let octets, let uuid): return received(octets, uuid, at: now)
        case .timerFired: return [ask()]
        case .succeeded, .failed: return []
        }
    }

    private mutating func ask() -> DriverAction {
        (newest, isInOrder) = (nil, true)
        let message =
            switch request {
            case .newRecords:
                RecordAccessMessage.reportRecords(from: UInt16(clamping: (context.newestSequence ?? 0) + 1))
            case .lastRecord: RecordAccessMessage.reportLastRecord
            case .allRecords: RecordAccessMessage.reportAllRecords
            }
        return .request(.write(message.octets, to: Self.control))
    }

    private mutating func received(_ octets: [UInt8], _ uuid: BluetoothUUID, at now: Moment) -> [DriverAction] {
        do throws(MalformedValueError) {
            switch uuid {
            case Self.measurement:
                let value = try GlucoseMeasurement(octets)
                let before = flush(at: now) + progress(to: Int(value.sequenceNumber))
                if request == .lastRecord, Int(value.sequenceNumber) < context.newestSequence ?? 0 { countsAnew = true }
                pending = value
                return before + (value.contextFollows && hasContexts ? [] : flush(at: now))
            case Self.contexts: return flush(try GlucoseMeasurementContext(octets), at: now)
            case Self.control: return answered(try RecordAccessMessage(octets), at: now)
            default: return []
            }
        } catch {
            return [.malformed(octets, of: uuid, error)]
        }
    }

    /// Reports the last transferred record, for the next link if this one is lost.
    ///
    /// A record counts once the next one has arrived in order, because some meters send the newest first.
    private mutating func progress(to sequence: Int) -> [DriverAction] {
        defer { newest = max(newest ?? sequence, sequence) }
        guard let newest, request != .lastRecord else { return [] }
        if sequence < newest { isInOrder = false }
        return isInOrder && sequence > newest ? [.remember(sequence: newest)] : []
    }

    private mutating func answered(_ message: RecordAccessMessage, at now: Moment) -> [DriverAction] {
        guard let result = message.result, result.request == .reportStoredRecords else { return [] }
        let rest = flush(at: now)
        switch result.code {
        case .success:
            guard request == .lastRecord, countsAnew else {
                return rest + (newest.map { [.remember(sequence: $0)] } ?? []) + [.finish]
            }
            // Known records are recognised by their content.
            request = .allRecords
            return rest + [ask()]
        case .noRecordsFound:
            guard request == .newRecords else { return rest + [.finish] }
            request = .lastRecord
            return rest + [ask()]
        case .serverBusy, .procedureNotCompleted, .abortUnsuccessful:
            repetitions += 1
            return rest + (repetitions <= Self.mostRepetitions ? [.setTimer(Self.pause)] : [.finish])
        default:
            // The meter cannot filter; known records are recognised by their content.
            guard request != .allRecords else {
                return rest + [.refuse("It refuses to hand over its records (\(result.code.name)).")]
            }
            request = .allRecords
            return rest + [ask()]
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
