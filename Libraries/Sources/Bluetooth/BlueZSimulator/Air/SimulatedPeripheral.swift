import Base
import VitalDecoders

/// A simulated sensor: its type, its measurements, and whether it can be heard.
///
/// It does not depend on the simulated bluetoothd.
final class SimulatedPeripheral {
    let description: SensorDescription
    private(set) var database: GattDatabase
    let noise: Noise
    /// The period of the curves, in seconds.
    private let period: Double?

    var name: String
    var address: String
    var signalStrength: Int
    var signalNoise: Int
    var vitals: SimulatedVitals
    var interval: Double
    /// Set by a command; until then the scenario's curve is used.
    var batteryLevel: Int?
    var isInRange: Bool
    var isAdvertising = true
    /// Whether the kernel still holds a link to it after its bluetoothd was killed.
    var isHeldByKernel = false
    var isTalking = true
    /// Whether it has the key of a bond.
    var hasBond = false
    var pairingConduct = PairingBehaviour.Conduct.yes
    /// The written values that are read back, by characteristic.
    var written: [BluetoothUUID: [UInt8]] = [:]
    /// The number of connections that will fail.
    var refusals = 0
    /// The heart rate that a client has written to a CORE; `nil` for none.
    var toldHeartRate: UInt8?
    var isOnBody = true {
        didSet { offBodyCount = 0 }
    }
    private var offBodyCount = 0
    private(set) var sample = 0
    var conversation: SimulatedConversation
    /// Quantities that a command has set, by name.
    var constants: [String: Double] = [:]
    /// The heart beats since the previous measurement, and the seconds since the newest of them.
    private var beats = (count: 1, elapsed: 0.0)
    /// The intervals of the body's heart since the previous measurement, in milliseconds, where it has one.
    private var intervals: [Double]?
    /// The time of the previous measurement.
    private var measuredAt = 0.0
    /// The body that its waves show.
    var body: SimulatedBody
    /// Its streams of Polar Measurement Data.
    var streams = PolarStreams()
    /// How it sends waves at present.
    var waveFaults = WaveFaults()
    /// The number of the newest sample that a poll was answered with, by its wave.
    var polledSamples: [WaveDescription: Int] = [:]
    /// More RR intervals do not fit into a notification of 20 octets.
    private static let mostBeats = 9
    private var reports = 0
    /// The number of sent values, by characteristic.
    var sent: [String: Int] = [:]

    init(_ description: SensorDescription, noise: Noise, period: Double?) {
        self.description = description
        self.noise = noise
        self.period = period
        database = GattDatabase(of: description)
        name = description.name
        address = description.address
        signalStrength = description.signalStrength
        signalNoise = description.signalNoise
        vitals = description.vitals
        interval = description.interval
        isInRange = description.isInRange
        conversation = SimulatedConversation(description.conversation, noise: noise.stream(105))
        body = SimulatedBody(noise: noise.stream(104))
        // A sensor without stored values sleeps until a user measures with it.
        let hasRecords = description.conversation.records.map { $0.count > 0 } ?? false
        isAdvertising = !conversation.isEpisodic || hasRecords || conversation.nights != nil
    }

    /// The phase of its measurements within the interval, from 0 up to 1, so that sensors do not all send at once.
    var phase: Double { (noise.stream(102).value(at: 0) + 1) / 2 }

    /// Whether an adapter could hear it.
    var isHeard: Bool { isInRange && isAdvertising && !isHeldByKernel }

    func nextSignalStrength() -> Int {
        reports += 1
        let shift = Double(signalNoise) * noise.stream(100).value(at: reports)
        return max(-127, min(20, signalStrength + Int(shift.rounded())))
    }

    /// Moves its services to other handles, as a firmware update may.
    func moveServices() { database.moveServices() }

    /// The battery level in percent at a time of the scenario.
    func battery(at seconds: Double) -> Int {
        if let batteryLevel { return batteryLevel }
        guard let battery = description.battery else { return 0 }
        let value = battery.value(at: wrapped(seconds), sample: sample, noise.stream(101))
        return max(0, min(100, Int(value.rounded())))
    }

    /// Whether the battery's level changes by itself.
    var hasChangingBattery: Bool { batteryLevel == nil && description.battery.map { !$0.isConstant } ?? false }

    /// Begins the next measurement.
    func nextSample(at seconds: Double = 0) {
        sample += 1
        if !isOnBody { offBodyCount += 1 }
        // As many beats as fit into the elapsed time.
        let rate = Double(encoder(at: seconds).rate)
        beats.elapsed = min(60, beats.elapsed + interval)
        beats.count = min(Self.mostBeats, Int(beats.elapsed * rate / 60))
        if rate > 0 { beats.elapsed -= Double(beats.count) * 60 / rate }
        intervals = hasHeart ? heartIntervals(after: max(measuredAt, seconds - 2 * interval), through: seconds) : nil
        measuredAt = seconds
    }

    /// The RR intervals of the body's heart in a range of time, in milliseconds.
    private func heartIntervals(after first: Double, through last: Double) -> [Double] {
        advanceBody(to: last)
        return body.heart.beats(after: first, through: last).suffix(Self.mostBeats).map { $0.interval * 1000 }
    }

    func encoder(at seconds: Double) -> MeasurementEncoder {
        MeasurementEncoder(
            vitals: vitals, toldHeartRate: toldHeartRate, isOnBody: isOnBody, offBodyCount: max(0, offBodyCount - 1),
            seconds: wrapped(seconds),
            beats: beats.count, intervals: intervals, sample: sample, noise: noise)
    }

    /// The present octets of a characteristic; written values of other characteristics are kept.
    func octets(of characteristic: GattDatabase.Characteristic, at seconds: Double) -> [UInt8] {
        if characteristic.content.isConstant, let written = written[characteristic.uuid] { return written }
        return octets(characteristic.content, at: seconds)
    }

    /// The present octets of a kind of content.
    func octets(_ content: GattDatabase.Content, at seconds: Double) -> [UInt8] {
        let encoder = encoder(at: seconds)
        switch content {
        case .octets(let octets): return octets
        case .template(let template): return self.octets(template, at: seconds)
        case .batteryLevel: return [UInt8(clamping: battery(at: seconds))]
        case .temperatureMeasurement: return encoder.temperature()
        case .measurementInterval:
            return MeasurementInterval(seconds: UInt16(clamping: Int(interval.rounded(.up)))).octets
        case .coreBodyTemperature: return encoder.coreBodyTemperature()
        case .heartRateMeasurement: return encoder.heartRate()
        case .pulseOximeterContinuous: return encoder.pulseOximeter()
        case .pulseOximeterSpotCheck: return encoder.spotCheck()
        case .sequence(let values, let offBody):
            let values = isOnBody || offBody.isEmpty ? values : offBody
            return values.isEmpty ? [] : self.octets(values[sample % values.count], at: seconds)
        case .echo(let uuid): return written[uuid] ?? []
        case .polarControl: return PolarStreams.features
        case .coreControlPoint, .heartRateControlPoint, .polarData: return []
        }
    }

    /// Octets with a sequence number, for bursts.
    func numbered(_ number: Int, _ content: GattDatabase.Content) -> [UInt8] {
        let short = MedicalShortFloat(DecimalNumber(Int64(number % 2000), exponent: 0)) ?? .nan
        switch content {
        case .heartRateMeasurement: return [0, UInt8(truncatingIfNeeded: number)]
        case .pulseOximeterContinuous:
            let normal = OxygenSaturationAndPulseRate(oxygenSaturation: short, pulseRate: short)
            return PulseOximeterContinuousMeasurement(normal: normal).octets
        case .temperatureMeasurement:
            let float = MedicalFloat(DecimalNumber(Int64(number % 8_000_000), exponent: 0)) ?? .nan
            return TemperatureMeasurement(temperature: float, unit: .celsius).octets
        default: return octets(content, at: 0)
        }
    }

    func wrapped(_ seconds: Double) -> Double {
        seconds < 0 ? seconds : period.map { seconds.truncatingRemainder(dividingBy: $0) } ?? seconds
    }

    /// Changes a measured quantity.
    func apply(_ change: VitalChange) {
        switch change {
        case .temperature(let celsius): vitals.temperature.value = celsius.map { Quantity(constant: $0) }
        case .unit(let unit): vitals.temperature.unit = unit
        case .timestamp(let isSent): vitals.temperature.isTimestamped = isSent
        case .temperatureType(let type): vitals.temperature.type = type.map { TemperatureType(rawValue: $0) }
        case .heartRate(let rate): vitals.heartRate.value = Quantity(constant: Double(rate))
        case .contact(let contact): vitals.heartRate.contact = contact
        case .intervals(let intervals): vitals.heartRate.intervals = intervals
        case .energy(let energy): vitals.heartRate.energy = energy
        case .wide(let isWide): vitals.heartRate.isWide = isWide
        case .saturation(let percent): vitals.oximetry.saturation = percent.map { Quantity(constant: $0) }
        case .pulseRate(let rate): vitals.oximetry.pulseRate = rate.map { Quantity(constant: $0) }
        case .rhythm(let rhythm): vitals.body.rhythm = rhythm
        }
    }
}

extension SimulatedPeripheral {
    /// The manufacturer data of its advertisements; a CORE's contain its temperature, unless a scenario gives others.
    func manufacturerData(at seconds: Double) -> [SensorDescription.CompanyData] {
        guard description.kind == .core, description.manufacturerData.isEmpty else {
            return description.manufacturerData
        }
        return [
            SensorDescription.CompanyData(
                company: CompanyIdentifier.greenTEG, octets: encoder(at: seconds).coreAdvertisement())
        ]
    }

    /// Handles a command on a CORE's control point; returns the octets of its answer, `nil` for no valid command.
    ///
    /// Only the external heart rate (13) is supported. Source: CORE Body Temperature Service Specification 2.2.
    func answerOfCore(to octets: [UInt8]) -> [UInt8]? {
        guard let request = octets.first else { return nil }
        let (success, notSupported, invalidParameter): (UInt8, UInt8, UInt8) = (1, 2, 3)
        guard request == CoreControlOpcode.externalHeartRate.rawValue else { return [0x80, request, notSupported] }
        guard octets.count <= 2 else { return [0x80, request, invalidParameter] }
        toldHeartRate = octets.dropFirst().first
        return [0x80, request, success]
    }
}

extension SimulatedPeripheral {
    /// A quantity of every sensor; the raw value is its name in a template.
    enum CommonQuantity: String, CaseIterable {
        case temperature, skinTemperature, heartRate, oxygenSaturation, pulseRate, perfusion, battery
        /// 1 while it is worn, else 0.
        case worn
        /// Seconds of the scenario.
        case seconds
        /// The number of the measurement, and the sequence number of the record that is sent.
        case sample, sequence
        /// The pulse wave, from 0 to 100, and the same upside down; 1 for a moment after each pulse, else 0.
        case pulseWave, pulseWaveInverted, beat
        /// The ECG in microvolts.
        case potential
        /// The number of a wave's sample and of its frame, the samples in the frame, and the milliseconds of a beat.
        case sampleNumber, frameNumber, sampleCount, beatInterval
    }

    /// The rule for an event, if any.
    func rule(for event: SimulatedConversation.Event, at seconds: Double) -> ConversationRule? {
        var filling = filling(at: seconds)
        if case .written(let octets, _) = event { filling.request = octets }
        return conversation.rule(for: event, isOnBody: isOnBody, noise: noise.stream(103), filling)
    }

    /// What a ring with nights does with what was written to it.
    func nightReactions(to octets: [UInt8], at seconds: Double) -> [StoredNights.Reaction] {
        guard var nights = conversation.nights else { return [] }
        let surroundings = StoredNights.Surroundings(
            seconds: seconds, clock: conversation.time(in: 0), name: name,
            quantity: { self.quantity($0, at: seconds, sequence: 0, WavePlace()) })
        let reactions = nights.reactions(to: octets, surroundings)
        if let clock = nights.clockToSet { conversation.setClock(clock) }
        nights.clockToSet = nil
        conversation.nights = nights
        return reactions
    }

    func octets(
        _ template: OctetTemplate, request: [UInt8] = [], at seconds: Double, _ place: WavePlace = WavePlace()
    ) -> [UInt8] {
        var filling = filling(at: seconds, place)
        filling.request = request
        filling.samples = place.samples
        return template.octets(filling)
    }

    func octets(_ template: OctetTemplate, of record: StoredRecords.Record, at now: Double) -> [UInt8] {
        var filling = filling(at: record.seconds, sequence: record.sequence)
        filling.time = conversation.time(of: record, at: now)
        return template.octets(filling)
    }

    private func filling(
        at seconds: Double, sequence: Int = 0, _ place: WavePlace = WavePlace()
    ) -> TemplateFilling {
        TemplateFilling(
            saved: conversation.saved, identifier: conversation.description.identifier, seconds: seconds,
            time: conversation.time(in: 0),
            quantityAt: { self.quantity($0, at: $1, sequence: sequence, place) }, random: { _ in [] })
    }

    private func quantity(_ name: String, at seconds: Double, sequence: Int, _ place: WavePlace) -> Double {
        if let constant = constants[name] { return constant }
        if let quantity = conversation.description.quantities[name] {
            let stream = name.utf8.reduce(200) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
            return quantity.value(at: wrapped(seconds), sample: sample + sequence, noise.stream(stream))
        }
        guard let common = CommonQuantity(rawValue: name) else { return 0 }
        switch common {
        case .temperature: return vital(vitals.temperature.value, 0, at: seconds)
        case .skinTemperature: return vital(vitals.temperature.skin, 1, at: seconds)
        case .heartRate: return vital(vitals.heartRate.value, 2, at: seconds)
        case .oxygenSaturation: return vital(vitals.oximetry.saturation, 3, at: seconds)
        case .pulseRate: return vital(vitals.oximetry.pulseRate, 4, at: seconds)
        case .perfusion: return vital(vitals.oximetry.amplitude, 5, at: seconds)
        case .battery: return Double(battery(at: seconds))
        case .worn: return isOnBody ? 1 : 0
        case .seconds: return seconds
        case .sample: return Double(sample)
        case .sequence: return Double(sequence)
        case .pulseWave, .pulseWaveInverted, .beat, .potential: return waveQuantity(common, at: seconds)
        case .sampleNumber: return Double(place.sampleNumber)
        case .frameNumber: return Double(place.frameNumber)
        case .sampleCount: return Double(place.sampleCount)
        case .beatInterval: return place.beatInterval * 1000
        }
    }

    private func vital(_ quantity: Quantity?, _ stream: Int, at seconds: Double) -> Double {
        quantity.map { encoder(at: seconds).value($0, stream: stream) } ?? 0
    }
}

/// How a simulated sensor is paired; the raw value is the word in a scenario.
enum PairingMethod: String, CaseIterable, Hashable, Sendable {
    /// Without anything to compare or type.
    case justWorks = "just-works"
    /// The computer displays a passkey that is typed on the sensor.
    case passkeyDisplay = "passkey-display"
    /// Both sides show six digits that the user compares.
    case numericComparison = "numeric-comparison"
    /// The sensor shows a passkey that is typed on the computer.
    case passkeyEntry = "passkey-entry"

    /// Whether an agent with a capability (`RegisterAgent`) can carry it out.
    func isPossible(with capability: String) -> Bool {
        switch self {
        case .justWorks: true
        case .passkeyDisplay: ["DisplayOnly", "DisplayYesNo", "KeyboardDisplay"].contains(capability)
        case .numericComparison: ["DisplayYesNo", "KeyboardDisplay"].contains(capability)
        case .passkeyEntry: ["KeyboardOnly", "KeyboardDisplay"].contains(capability)
        }
    }
}

/// The behaviour of a sensor and its user during pairing.
struct PairingBehaviour: Hashable, Sendable {
    var method: PairingMethod
    /// The passkey that it shows, 0 to 999999.
    var passkey = 123_456

    /// The reaction at the sensor; the raw value is the argument of the command `pairing`.
    enum Conduct: String, CaseIterable, Hashable, Sendable {
        /// The right keys are pressed, after a second.
        case yes
        /// The digits differ, or are typed wrong.
        case no
        /// No key is pressed.
        case hang
        /// It refuses pairing.
        case refuse
    }
    var conduct = Conduct.yes
}
