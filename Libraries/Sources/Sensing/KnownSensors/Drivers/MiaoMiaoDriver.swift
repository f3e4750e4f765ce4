import SensorDrivers
import VitalDecoders
import Vitals

/// A MiaoMiao on a FreeStyle Libre 1: a bridge that reads the sensor's memory every five minutes.
///
/// It has the Nordic UART service. `F0` starts a reading, `D1 05` sets the interval, `D3 01` accepts a new sensor, which
/// is written only if somebody says so, here or in the settings. A packet begins with `28` and has 363 octets in pieces
/// (its serial number, battery and versions, and the sensor's memory), then optionally six with the type of the sensor.
/// Libre 2, Libre 2+ and Libre of the US are encrypted and refused. Source: public descriptions only (xDrip, DiaBLE); not
/// verified on a device. It measures raw estimates of glucose in the interstitial fluid, which the user may calibrate.
public struct MiaoMiaoDriver: SensorDriver {
    public static let service = BluetoothUUID(high: 0x6E40_0001_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
    static let writing = BluetoothUUID(high: 0x6E40_0002_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
    static let notifying = BluetoothUUID(high: 0x6E40_0003_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
    /// How often a damaged image is requested again.
    static let mostRepetitions = 3
    /// The octets of a packet, without the six with the type of the sensor.
    static let packetLength = 363
    public static var patience: Duration { .seconds(360) }

    private var packet = FrameAssembler(limit: 400)
    private var repetitions = 0
    /// When the last packet was complete: the next octets contain the type of the sensor.
    private var completedAt: Moment?
    /// The last minute of the sensor's life whose values are known.
    private var newest: Int
    /// What was reported of it on this link.
    private var status = TransmitterStatus()
    private let newSensors: NewSensorPolicy

    public init(_ context: DriverContext) {
        newest = context.newestSequence ?? 0
        newSensors = context.newSensors
    }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.notifying))]
        case .succeeded(let request) where request.kind == .subscribe: return [write([0xD1, 5]), write([0xF0])]
        case .received(let octets, _): return received(octets, at: now)
        case .timerFired:
            packet.clear()
            return [write([0xF0])]
        case .newSensorAnswered(let isAccepted): return answered(isAccepted)
        case .nights: return []
        case .succeeded, .failed, .read: return []
        }
    }

    private func write(_ octets: [UInt8]) -> DriverAction {
        .request(.writeWithoutResponse(octets, to: Self.writing))
    }

    private mutating func received(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        if let completedAt, now.since(completedAt) <= FrameAssembler.longestPause, octets.count == 6 {
            self.completedAt = nil
            return Self.isSupported(octets.first) ? [] : [.refuse(Self.refusal)]
        }
        packet.append(octets, at: now)
        switch packet.octets.first {
        case 0x28: return assembled(at: now)
        case 0x32:
            packet.clear()
            return foundNewSensor()
        case 0x34:
            packet.clear()
            // If the sensor is put back within the minute, its newest value is a present one again.
            newest = max(0, newest - 1)
            // What was asked was about a sensor that is not there any more.
            return (status.newSensor == nil ? [] : report(nil)) + [
                .streaming, .reading(.glucose, .noMeasurement(.offBody)),
            ]
        default:
            packet.clear()
            return []
        }
    }

    // MARK: A new sensor

    /// A new sensor sends nothing before it is accepted, and its transmitter says so at each reading.
    private mutating func foundNewSensor() -> [DriverAction] {
        let absent = [DriverAction.streaming, .reading(.glucose, .noMeasurement(.newSensor))]
        switch newSensors {
        case .always: return accept()
        case .never: return report(.refused) + absent
        // An answer is kept: the same question is not asked every five minutes.
        case .ask: return report(status.newSensor ?? .asked) + absent
        }
    }

    private mutating func answered(_ isAccepted: Bool) -> [DriverAction] {
        guard status.newSensor?.isOpen == true else { return [] }
        return isAccepted ? accept() : report(.declined)
    }

    private mutating func accept() -> [DriverAction] {
        newest = 0
        // The reading follows half a second later.
        return report(nil) + [write([0xD3, 1]), .setTimer(.milliseconds(500))]
    }

    /// Reports what becomes of a new sensor; what was known of the one before is over.
    private mutating func report(_ newSensor: TransmitterStatus.NewSensor?) -> [DriverAction] {
        let next = TransmitterStatus(firmware: status.firmware, hardware: status.hardware, newSensor: newSensor)
        defer { status = next }
        return next == status ? [] : [.transmitter(next)]
    }

    // MARK: A packet

    private mutating func assembled(at now: Moment) -> [DriverAction] {
        guard packet.octets.count >= Self.packetLength else { return [] }
        let octets = packet.octets
        packet.clear()
        completedAt = now
        let kind = octets.dropFirst(Self.packetLength).first
        if octets.count >= Self.packetLength + 6 {
            completedAt = nil
            if !Self.isSupported(kind) { return [.refuse(Self.refusal)] }
        }
        let battery: [DriverAction] = octets[13] <= 100 ? [.battery(Int(octets[13]))] : []
        guard octets[Self.packetLength - 1] == 0x29, let memory = LibreMemory(Array(octets[18..<362])), memory.isIntact
        else {
            return again(octets)
        }
        repetitions = 0
        status = TransmitterStatus(
            firmware: Self.version(octets[14...15]), hardware: Self.version(octets[16...17]),
            sensorSerial: LibreMemory.serialNumber(octets[5...12]), sensorMinutes: memory.age)
        return [.streaming] + battery + [.transmitter(status)] + readings(memory, at: now)
    }

    /// The two octets of a version as four hexadecimal digits: that is how programs for it show them.
    private static func version(_ octets: ArraySlice<UInt8>) -> String {
        octets.map { octet in
            let digits = String(octet, radix: 16, uppercase: true)
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined()
    }

    /// Requests a damaged image again.
    private mutating func again(_ octets: [UInt8]) -> [DriverAction] {
        repetitions += 1
        let error = MalformedValueError(offset: 18, reason: "a checksum of the sensor's memory does not fit")
        let report = DriverAction.malformed(Array(octets.prefix(32)), of: Self.notifying, error)
        guard repetitions <= Self.mostRepetitions else {
            repetitions = 0
            return [report, .streaming, .reading(.glucose, .noMeasurement(.equipment))]
        }
        return [report, write([0xF0])]
    }

    private mutating func readings(_ memory: LibreMemory, at now: Moment) -> [DriverAction] {
        if let absence = memory.absence { return [.reading(.glucose, .noMeasurement(absence))] }
        let age = memory.age
        // A new sensor counts its minutes anew.
        if newest > age { newest = 0 }
        var actions: [DriverAction] = []
        // The newest first: it makes the sensor the source of glucose, whose trend then accepts the earlier values.
        for estimate in memory.estimates.reversed() where estimate.minute > newest {
            let raw = RawGlucose(count: estimate.count, serial: status.sensorSerial, method: .offset)
            var details = DriverReadingDetails(raw: raw)
            if estimate.minute < age {
                let moment = now.advanced(by: .seconds(-60 * (age - estimate.minute)))
                details.late = LateInterval(sensorTime: moment)
            }
            let outcome = Reading.Outcome(hundredths: estimate.value.hundredths, of: .glucose, .rawEstimate)
            actions.append(.reading(.glucose, outcome, details))
        }
        newest = age
        return actions + [.remember(sequence: age)]
    }

    private static let refusal =
        "It is on a Libre 2 or a Libre of the US, whose values are encrypted. Only a Libre 1 can be read."

    /// Whether the first octet of the patch information belongs to a Libre 1 (or Libre Pro), or is unknown.
    private static func isSupported(_ first: UInt8?) -> Bool {
        switch first {
        case 0x9D, 0xC5, 0xC6, 0x7F, 0xE5, 0xE6: false
        default: true
        }
    }
}

/// The memory of a FreeStyle Libre 1 sensor, 43 blocks of 8 octets, as a bridge reads it.
///
/// The details of the factory calibration are not public, so the values are raw estimates.
struct LibreMemory: Hashable, Sendable {
    /// The number of octets.
    static let length = 344

    private let octets: [UInt8]

    /// Creates a memory from an image; `nil` for another length.
    init?(_ octets: [UInt8]) {
        guard octets.count == Self.length else { return nil }
        self.octets = octets
    }

    /// The serial number that is printed on a sensor: "0", and its identifier in ten digits of base 32.
    ///
    /// - Parameter identifier: Eight octets as sent, the last two `07 E0`.
    static func serialNumber(_ identifier: some BidirectionalCollection<UInt8>) -> String? {
        guard identifier.count == 8 else { return nil }
        let number = identifier.reversed().dropFirst(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } << 2
        return "0" + String((0..<10).map { Self.digits[Int(number >> (45 - 5 * $0) & 31)] })
    }

    /// The digits of a serial number: no B, I, O and S.
    private static let digits = Array("0123456789ACDEFGHJKLMNPQRTUVWXYZ")

    /// Whether the checksums of header, body and footer fit.
    var isIntact: Bool {
        [0..<24, 24..<320, 320..<344].allSatisfy { region in
            let sum = UInt16(octets[region.lowerBound]) | UInt16(octets[region.lowerBound + 1]) << 8
            return Checksum.libre(octets[(region.lowerBound + 2)..<region.upperBound]) == sum
        }
    }

    /// Why the sensor has no value; `nil` while it is active.
    var absence: AbsenceReason? {
        switch octets[4] {
        case 3: nil
        case 1, 2: .calibrating
        default: .equipment
        }
    }

    /// The minutes since the sensor was started.
    var age: Int { Int(octets[316]) | Int(octets[317]) << 8 }

    /// A raw estimate with its minute of the sensor's life.
    struct Estimate: Hashable, Sendable {
        var minute: Int
        /// In thousandths of mg/dL.
        var count: Int
        var value: VitalValue { VitalValue(hundredths: (count + 5) / 10) }
    }

    /// The estimates of the last 16 minutes and of the last 8 hours, the oldest first, one per minute.
    var estimates: [Estimate] {
        let trend = Int(octets[26]), history = Int(octets[27])
        guard trend < 16, history < 32 else { return [] }
        let recent = (0..<16).map { back in
            estimate(at: 28 + 6 * ((trend - 1 - back + 32) % 16), minute: age - back)
        }
        // A quarter-hour mean is written some minutes late.
        let newest = age - ((age + 12) % 15 + 3)
        let earlier = (0..<32).map { back in
            estimate(at: 124 + 6 * ((history - 1 - back + 64) % 32), minute: newest - 15 * back)
        }
        let first = recent.last?.minute ?? age
        return (earlier.filter { $0.minute < first } + recent).filter { $0.minute > 0 && $0.value.hundredths > 0 }
            .sorted { $0.minute < $1.minute }
    }

    private func estimate(at place: Int, minute: Int) -> Estimate {
        let raw = Int(octets[place + 1] & 0x1F) << 8 | Int(octets[place])
        return Estimate(minute: minute, count: (raw * 117_647 + 500) / 1000)
    }
}
