import SensorDrivers
import VitalDecoders
import Vitals

/// A continuous glucose monitor (Continuous Glucose Monitoring Service 1.0.2), read only.
///
/// Missed values are fetched through the Record Access Control Point and are late values. Sessions are never started or
/// stopped, and nothing is calibrated. It measures glucose in the interstitial fluid, some minutes behind the blood, as
/// computed by the sensor.
public struct ContinuousGlucoseDriver: SensorDriver {
    /// A new value arrives every few minutes.
    public static var patience: Duration { .seconds(900) }

    private let context: DriverContext
    private var decoding = DecodingContext()
    /// When the session began, by this computer's clock.
    private var sessionStart: Moment?
    /// The newest known record, in minutes of the session.
    private var newest: Int?
    private var hasRecords = false
    private var isFetching = false

    public init(_ context: DriverContext) {
        self.context = context
        newest = context.newestSequence
    }

    private static let measurement = CharacteristicType.continuousGlucoseMeasurement.uuid
    private static let feature = CharacteristicType.continuousGlucoseFeature.uuid
    private static let status = CharacteristicType.continuousGlucoseStatus.uuid
    private static let control = RecordTransfer.control
    /// In minutes; an older record is not a present value.
    private static let present = 10

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected(let attributes):
            guard attributes[Self.measurement]?.isNotifying == true else {
                return [.refuse("It has the service of a glucose sensor, but no measurements.")]
            }
            hasRecords = attributes[Self.control]?.isWritable == true
            let read = [Self.feature, Self.status].filter { attributes[$0]?.isReadable == true }
            return read.map { .request(.read($0, isOptional: true)) } + [.request(.subscribe(Self.measurement))]
                + (hasRecords ? [.request(.subscribe(Self.control, isOptional: true))] : [])
        case .read(let octets, let uuid):
            readOnce(octets, uuid, at: now)
            return []
        case .succeeded(let request) where request.kind == .subscribe:
            return request.uuid == Self.control ? fetch() : hasRecords ? [] : [.streaming]
        case .failed(let request) where request.uuid == Self.control: return [.streaming]
        case .received(let octets, let uuid):
            if uuid == Self.measurement { return measured(octets, at: now) }
            // Whatever the answer is, later values are sent without a request.
            isFetching = false
            return [.streaming]
        case .succeeded, .failed, .timerFired, .newSensorAnswered, .nights: return []
        }
    }

    private mutating func readOnce(_ octets: [UInt8], _ uuid: BluetoothUUID, at now: Moment) {
        if uuid == Self.feature, let feature = try? ContinuousGlucoseFeature(octets) {
            decoding.endToEndCRC = feature.features.contains(.endToEndCRC)
        }
        if uuid == Self.status, let status = try? ContinuousGlucoseStatus(octets, context: decoding) {
            sessionStart = now.advanced(by: .seconds(-60 * Int(status.timeOffset)))
            // A new session counts its minutes anew.
            if let known = newest, known > Int(status.timeOffset) { newest = nil }
        }
    }

    /// Requests the missed records, or only the newest one if no earlier one is known.
    private mutating func fetch() -> [DriverAction] {
        isFetching = true
        var transfer = RecordTransfer(after: newest, otherwise: .lastRecord)
        return [transfer.ask(isOptional: true)]
    }

    private mutating func measured(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        do throws(MalformedValueError) {
            var actions: [DriverAction] = isFetching ? [] : [.streaming]
            for record in try ContinuousGlucoseMeasurement(octets, context: decoding).records {
                actions += reading(record, at: now)
            }
            return actions
        } catch {
            return [.malformed(octets, of: Self.measurement, error)]
        }
    }

    private mutating func reading(_ record: ContinuousGlucoseRecord, at now: Moment) -> [DriverAction] {
        let offset = Int(record.timeOffset)
        var details = DriverReadingDetails()
        if isFetching, let sessionStart {
            let measured = sessionStart.advanced(by: .seconds(60 * offset))
            if now.since(measured) > .seconds(60 * Self.present) { details.late = LateInterval(sensorTime: measured) }
        } else if !isFetching {
            sessionStart = now.advanced(by: .seconds(-60 * offset))
        }
        newest = max(newest ?? 0, offset)
        return [.reading(.glucose, Self.outcome(of: record), details), .remember(sequence: newest ?? offset)]
    }

    private static func outcome(of record: ContinuousGlucoseRecord) -> Reading.Outcome {
        let bits = record.annunciation.rawValue
        func has(_ places: ClosedRange<Int>) -> Bool { places.contains { bits & 1 << $0 != 0 } }
        // Session stopped, wrong sensor, malfunction, general fault.
        if has(0...0) || has(2...3) || has(5...5) { return .noMeasurement(.equipment) }
        switch (has(22...22), has(23...23)) {
        case (true, true): return .noMeasurement(.outOfRange)
        case (true, false): return .noMeasurement(.belowRange)
        case (false, true): return .noMeasurement(.aboveRange)
        case (false, false): break
        }
        if let reason = AbsenceReason(special: record.glucose.value) { return .noMeasurement(reason) }
        // Too hot or too cold; calibration required.
        let quality: Reading.Quality = has(12...13) ? .questionable : has(11...11) ? .calibrationWanted : .good
        return Reading.Outcome(hundredths: record.glucose.value.hundredths, of: .glucose, quality)
    }
}
