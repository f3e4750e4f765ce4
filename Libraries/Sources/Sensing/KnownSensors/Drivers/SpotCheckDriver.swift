import SensorDrivers
import VitalDecoders
import Vitals

/// The stored spot-checks of an oximeter (Pulse Oximeter Service 1.0.1), fetched while it streams.
///
/// The service can request only all records, and does not number them. So all are requested on each link, and the known
/// ones are recognised by their time and values. Without a time a record cannot be placed or recognised: it is left out.
/// A record is history, never a present value or an alarm (`RecordEntry/isHistory`).
public struct SpotCheckDriver: SensorDriver {
    private let context: DriverContext
    private var clock = SensorClockOffset()
    private var transfer = RecordTransfer(after: nil)
    /// The records without a time.
    private var leftOut = 0

    public init(_ context: DriverContext) {
        self.context = context
    }

    private static let measurement = CharacteristicType.pulseOximeterSpotCheck.uuid

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected(let attributes):
            guard attributes[Self.measurement]?.isNotifying == true,
                attributes[RecordTransfer.control]?.isWritable == true
            else { return [.finish] }
            return SensorClockOffset.requests(attributes, context, at: now) + [
                .request(.subscribe(Self.measurement)), .request(.subscribe(RecordTransfer.control)), transfer.ask(),
            ]
        case .read(let octets, let uuid):
            _ = clock.read(octets, of: uuid, context, at: now)
            return []
        case .received(let octets, let uuid): return received(octets, uuid, at: now)
        case .timerFired: return [transfer.ask()]
        case .newSensorAnswered, .nights: return []
        case .succeeded(let request), .failed(let request):
            // What an oximeter goes on to send after an abort is never taken for a present value.
            return transfer.handled(request).map { $0 == .finish ? .streaming : $0 }
        }
    }

    private mutating func received(_ octets: [UInt8], _ uuid: BluetoothUUID, at now: Moment) -> [DriverAction] {
        do throws(MalformedValueError) {
            switch uuid {
            case Self.measurement:
                let record = try PulseOximeterSpotCheckMeasurement(octets)
                let before = transfer.received()
                return before + (transfer.isAborted ? [] : entries(record, at: now))
            case RecordTransfer.control:
                let actions = transfer.answered(try RecordAccessMessage(octets))
                guard leftOut > 0, actions.last == .finish else { return actions }
                let left = "\(leftOut) stored \(leftOut == 1 ? "spot-check" : "spot-checks") without a time"
                return [.notice("\(left) \(leftOut == 1 ? "was" : "were") left out.")] + actions
            default: return []
            }
        } catch {
            return [.malformed(octets, of: uuid, error)]
        }
    }

    /// The entries of a record: its saturation, and its pulse rate if it has one.
    private mutating func entries(_ record: PulseOximeterSpotCheckMeasurement, at now: Moment) -> [DriverAction] {
        guard let stamp = record.timestamp, let time = DeviceTime(stamp) else {
            leftOut += 1
            return []
        }
        let measurement = record.measurementStatus?.subtracting(.fromStorage)
        let outcomes = OximeterOutcomes(
            record.normal, measurement: measurement, device: record.deviceAndSensorStatus,
            amplitude: record.pulseAmplitudeIndex)
        guard let outcomes, let saturation = Self.content(of: outcomes.saturation) else { return [] }
        let doubts = Self.doubts(measurement) + Self.doubts(record.deviceAndSensorStatus)
        let taken =
            record.isDeviceClockNotSet
            ? (moment: now, isKnown: false) : clock.taken(stamp, context, isStored: true, at: now)
        func entry(_ content: RecordEntry.Content, _ outcome: Reading.Outcome, _ remarks: [String]) -> DriverAction {
            let quality = if case .measured(_, let quality) = outcome { quality } else { Reading.Quality.good }
            return .entry(
                content,
                EntryFacts(
                    deviceTime: time, isTimeKnown: taken.isKnown, quality: quality,
                    remark: remarks.isEmpty ? nil : remarks.joined(separator: ", ")),
                taken: taken.moment)
        }
        var remarks = doubts
        // Entries have no value of it.
        if case .measured = outcomes.perfusionIndex, let index = record.pulseAmplitudeIndex {
            remarks.insert("perfusion index \(index) %", at: 0)
        }
        var entries = [entry(saturation, outcomes.saturation, remarks)]
        if case .measured(let rate, _) = outcomes.pulseRate {
            entries.append(entry(.vital(.heartRate, rate, site: nil), outcomes.pulseRate, ["pulse rate"] + doubts))
        }
        return entries
    }

    /// The value of a record, or the reason for its absence; `nil` for what is no patient's.
    private static func content(of outcome: Reading.Outcome) -> RecordEntry.Content? {
        switch outcome {
        case .measured(let value, _): .vital(.oxygenSaturation, value, site: nil)
        case .noMeasurement(.demo), .noMeasurement(.test): nil
        case .noMeasurement(let reason): .noMeasurement(.oxygenSaturation, reason)
        }
    }

    /// The names of the bits that make a value doubtful, or unusable.
    private static func doubts(_ status: (some ClinicalStatusWord)?) -> [String] {
        status?.readings.filter { $0.reading.usability != .usable }.map(\.name) ?? []
    }
}
