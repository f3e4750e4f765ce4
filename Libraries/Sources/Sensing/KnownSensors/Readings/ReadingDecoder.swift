import Base
import VitalDecoders
import Vitals

/// Decodes the readings of one sensor from its octets; a value type without side effects.
///
/// It keeps what later measurements depend on: the site on the body, and which of two characteristics with the same
/// temperature is in use.
public struct ReadingDecoder: Sendable {
    /// How long CORE's own characteristic must be silent before the other one with the same temperature is used.
    public static let coreSilence = Duration.seconds(15)

    /// The sensor's identity.
    public var identity: SensorIdentity { didSet { correctKind() } }
    /// The maker's details of the sensor that were read so far.
    public private(set) var details = SensorDetails()

    /// Whether the sensor lets its interval of measurement be set.
    public var isIntervalSettable = false

    /// Whether the sensor says that it stores measurements which can be fetched.
    public private(set) var hasStoredRecords = false

    private var temperatureSite: BodySite?
    /// Whether its name is that of a CORE, but it reports another site.
    private var isMistakenForCore = false { didSet { correctKind() } }
    private var heartRateSite: BodySite?
    /// When CORE's own characteristic last sent a value, or was subscribed to.
    private var newestCoreValue: Moment?
    private var clock: SensorClock

    public init(identity: SensorIdentity, clock: SensorClock = SensorClock()) {
        self.identity = identity
        self.clock = clock
    }

    /// Records that CORE's own characteristic is subscribed to, so that the other one is ignored from the beginning.
    public mutating func expectCoreValues(from moment: Moment) {
        newestCoreValue = moment
    }

    /// Decodes a notified or indicated value.
    ///
    /// - Parameters:
    ///   - octets: The value, of any length.
    ///   - characteristic: Its characteristic.
    ///   - moment: When it arrived.
    ///   - report: Called with each reading, battery level or error about malformed octets.
    public mutating func interpret(
        _ octets: [UInt8], of characteristic: ReadCharacteristic, at moment: Moment,
        report: (MonitorEvent.Kind) -> Void
    ) {
        do throws(MalformedValueError) {
            switch characteristic {
            case .temperatureMeasurement, .intermediateTemperature:
                let value = try TemperatureMeasurement(octets)
                reportTemperature(value, isIntermediate: characteristic == .intermediateTemperature, moment, report)
            case .coreBodyTemperature:
                let value = try CoreBodyTemperature(octets)
                newestCoreValue = moment
                report(.reading(reading(.bodyTemperature, value.bodyOutcome, moment, site: .core)))
                if let skin = value.skinOutcome {
                    report(.reading(reading(.skinTemperature, skin, moment, site: .skin)))
                }
            case .heartRateMeasurement:
                let value = try HeartRateMeasurement(octets)
                let isEightBit = (octets.first ?? 0) & 1 == 0
                let outcome = Reading.Outcome(value, isEightBit: isEightBit)
                report(.reading(reading(.heartRate, outcome, moment, site: heartRateSite)))
                if let intervals = value.rrIntervals { reportIntervals(intervals, of: value, outcome, moment, report) }
            case .pulseOximeterContinuous:
                let value = try PulseOximeterContinuousMeasurement(octets)
                let outcomes = OximeterOutcomes(
                    value.normal, measurement: value.measurementStatus, device: value.deviceAndSensorStatus,
                    amplitude: value.pulseAmplitudeIndex)
                reportOximetry(outcomes, moment, time: nil, report)
            case .pulseOximeterSpotCheck:
                let value = try PulseOximeterSpotCheckMeasurement(octets)
                let outcomes = OximeterOutcomes(
                    value.normal, measurement: value.measurementStatus, device: value.deviceAndSensorStatus,
                    amplitude: value.pulseAmplitudeIndex)
                let time = value.isDeviceClockNotSet ? nil : value.timestamp.flatMap { DeviceTime($0) }
                reportOximetry(outcomes, moment, time: time, report)
            case .batteryLevel:
                guard let percent = try BatteryLevel(octets).percent else { break }
                report(.battery(identity, percent: percent))
            case .temperatureType:
                temperatureSite = BodySite(try TemperatureType(octets))
                compareName(with: temperatureSite)
            case .measurementInterval:
                let seconds = Int(try MeasurementInterval(octets).seconds)
                let announced = AnnouncedInterval(seconds: seconds, isSettable: isIntervalSettable)
                report(.announcedInterval(identity, announced))
            case .bodySensorLocation:
                heartRateSite = BodySite(try BodySensorLocation(octets))
            case .pulseOximeterFeatures:
                hasStoredRecords = try PulseOximeterFeatures(octets).supported.contains(.spotCheckStorage)
            case .manufacturerName, .modelNumber, .serialNumber, .firmwareRevision, .hardwareRevision,
                .softwareRevision:
                details.set(characteristic, to: try DeviceInformationText(octets))
            }
        } catch {
            let description = MalformedOctets(
                characteristic: characteristic.uuid.description, octets: octets, reason: error.reason,
                offset: error.offset)
            report(.malformed(identity, description))
        }
    }

    /// Reports RR intervals; without contact the strap invents them, like the rate.
    private func reportIntervals(
        _ intervals: [RRInterval], of value: HeartRateMeasurement, _ outcome: Reading.Outcome, _ moment: Moment,
        _ report: (MonitorEvent.Kind) -> Void
    ) {
        guard !intervals.isEmpty, value.contact != .notDetected else { return }
        let rate: UInt16? = if case .measured = outcome { value.heartRate } else { nil }
        report(
            .rrIntervals(
                RRIntervals(sensor: identity, intervals: intervals.map(\.raw), heartRate: rate, moment: moment)))
    }

    /// Records that a sensor with the name of a CORE reports the ear or the armpit as its site.
    ///
    /// A sensor with CORE's own characteristic stays a CORE.
    private mutating func compareName(with site: BodySite?) {
        guard identity.kind == .core, newestCoreValue == nil, let site, site != .body else { return }
        isMistakenForCore = true
    }

    private mutating func correctKind() {
        if isMistakenForCore, identity.kind == .core { identity.kind = .thermometer }
    }

    private mutating func reportTemperature(
        _ value: TemperatureMeasurement, isIntermediate: Bool, _ moment: Moment, _ report: (MonitorEvent.Kind) -> Void
    ) {
        let reportedSite = value.type.map { BodySite($0) } ?? temperatureSite
        compareName(with: reportedSite)
        let isCore = identity.kind == .core
        // Quirk core-twice: 2A1C repeats CORE's own characteristic; counting both would distort every trend.
        if isCore, let newestCoreValue, moment.since(newestCoreValue) < Self.coreSilence { return }
        // The reported site takes precedence over the name; a CORE reports "body" and means the core.
        let site = isCore && (reportedSite == nil || reportedSite == .body) ? .core : reportedSite
        let outcome = Reading.Outcome(value, isIntermediate: isIntermediate)
        let time = value.timestamp.flatMap { DeviceTime($0) }
        let late = time.flatMap { clock.lateness(of: $0, arrival: moment) }
        report(.reading(reading(.bodyTemperature, outcome, moment, site: site, time: time, late: late)))
    }

    private mutating func reportOximetry(
        _ outcomes: OximeterOutcomes?, _ moment: Moment, time: DeviceTime?, _ report: (MonitorEvent.Kind) -> Void
    ) {
        guard let outcomes else { return }
        let late = time.flatMap { clock.lateness(of: $0, arrival: moment) }
        report(.reading(reading(.oxygenSaturation, outcomes.saturation, moment, time: time, late: late)))
        report(.reading(reading(.pulseRate, outcomes.pulseRate, moment, time: time, late: late)))
        guard let perfusionIndex = outcomes.perfusionIndex else { return }
        report(.reading(reading(.perfusionIndex, perfusionIndex, moment, time: time, late: late)))
    }

    private func reading(
        _ vital: Vital, _ outcome: Reading.Outcome, _ moment: Moment, site: BodySite? = nil, time: DeviceTime? = nil,
        late: LateInterval? = nil
    ) -> Reading {
        Reading(
            sensor: identity, vital: vital, outcome: outcome, moment: moment, site: site, deviceTime: time, late: late)
    }
}

/// The maker's details of a sensor (Device Information Service, 180A); every text is sanitized.
public struct SensorDetails: Hashable, Sendable {
    public internal(set) var manufacturerName: String?
    public internal(set) var modelNumber: String?
    public internal(set) var serialNumber: String?
    public internal(set) var firmwareRevision: String?
    public internal(set) var hardwareRevision: String?
    public internal(set) var softwareRevision: String?

    /// Stores one of the texts; other characteristics are ignored.
    mutating func set(_ characteristic: ReadCharacteristic, to value: DeviceInformationText) {
        let text = sanitized(value.text)
        switch characteristic {
        case .manufacturerName: manufacturerName = text
        case .modelNumber: modelNumber = text
        case .serialNumber: serialNumber = text
        case .firmwareRevision: firmwareRevision = text
        case .hardwareRevision: hardwareRevision = text
        case .softwareRevision: softwareRevision = text
        default: break
        }
    }
}

extension DeviceTime {
    /// A sensor's time stamp; `nil` for an impossible one.
    ///
    /// Unknown parts stay unknown.
    init?(_ time: DateTime) {
        guard time.isPossible else { return nil }
        self.init(
            year: time.year.map(Int.init), month: time.month.map(Int.init), day: time.day.map(Int.init),
            hour: Int(time.hour), minute: Int(time.minute), second: Int(time.second))
    }
}
