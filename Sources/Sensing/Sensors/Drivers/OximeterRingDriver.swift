import SensorDrivers
import VitalDecoders
import Vitals

/// A ring or wristband of the Viatom and Wellue family (O2Ring, KidsO2, SleepU, Checkme O2), which must be polled.
///
/// Request `AA command ~command block16 length16 data crc8`, answer `55 result ~result block16 length16 data crc8`,
/// split over notifications; an answer has up to 145 octets. Of the live values, octet 0 is the saturation, 1 and 2 the
/// pulse, 7 the battery, 10 the perfusion index in tenths of a percent (0 for none) and 11 the lead: 0 is off, 1 is on,
/// others are errors. Polling keeps the ring awake, so it ends when the ring is not worn. Source: public descriptions
/// only (the programs `o2r` and `viatom-ble`); not verified on a ring. It measures saturation, pulse and perfusion index
/// at the thumb or finger, in consumer quality, averaged over some seconds.
struct OximeterRingDriver: SensorDriver {
    /// The service that it advertises.
    static let service = BluetoothUUID(high: 0x14839AC4_7D7E415C, low: 0x9A421673_40CF2339)
    static let writing = BluetoothUUID(high: 0x8B00ACE7_EB0B49B0, low: 0xBBE99AEE_0A26E1A3)
    static let notifying = BluetoothUUID(high: 0x0734594A_A8E74B1A, low: 0xA6B1CD52_43059A57)
    /// The request for the live values.
    static let poll: [UInt8] = [0xAA, 0x17, 0xE8, 0x00, 0x00, 0x00, 0x00, 0x1B]
    /// The polling interval.
    static let interval = Duration.seconds(2)
    /// How long it may be off the body before polling ends.
    static let idleLimit = Duration.seconds(120)

    /// The longest data of an answer in octets, without the eight octets around them.
    static let longestData = 145 - 8

    private var frame = FrameAssembler(limit: 256)
    private var notWornSince: Moment?
    private var perfusionIndex = PerfusionIndex()
    /// The number of consecutive unanswered polls.
    private var unanswered = 0

    init(_ context: DriverContext) {}

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.notifying))]
        case .succeeded(let request) where request.kind == .subscribe: return ask()
        case .received(let octets, _): return received(octets, at: now)
        case .newSensorAnswered: return []
        case .timerFired:
            unanswered += 1
            // A ring that does not answer polls has fallen asleep, or the link is dead.
            guard unanswered <= 5 else { return [.finish] }
            frame.clear()
            return ask()
        case .succeeded, .failed, .read: return []
        }
    }

    private func ask() -> [DriverAction] {
        [.request(.write(Self.poll, to: Self.writing)), .setTimer(Self.interval)]
    }

    private mutating func received(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        frame.append(octets, at: now)
        while let first = frame.octets.first, first != 0x55 { frame.drop(1) }
        guard frame.octets.count >= 8 else { return [] }
        let length = Int(frame.octets[5]) | Int(frame.octets[6]) << 8
        guard length <= Self.longestData else {
            frame.clear()
            return []
        }
        guard frame.octets.count >= 8 + length else { return [] }
        let answer = Array(frame.octets.prefix(8 + length))
        frame.drop(answer.count)
        guard Checksum.crc8(answer.dropLast()) == answer.last else {
            let error = MalformedValueError(offset: answer.count - 1, reason: "the CRC does not fit")
            return [.malformed(answer, of: Self.notifying, error)]
        }
        guard answer[1] == 0, length >= 12 else { return [] }
        unanswered = 0
        return live(Array(answer[7..<7 + length]), at: now)
    }

    private mutating func live(_ data: [UInt8], at now: Moment) -> [DriverAction] {
        var actions: [DriverAction] = [.streaming]
        if data[7] <= 100 { actions.append(.battery(Int(data[7]))) }
        // A ring with an error does not count as worn.
        guard data[11] == 1 else {
            let since = notWornSince ?? now
            notWornSince = since
            let reason = data[11] == 0 ? AbsenceReason.offBody : .equipment
            actions += [
                .reading(.oxygenSaturation, .noMeasurement(reason)), .reading(.pulseRate, .noMeasurement(reason)),
            ]
            actions += perfusionIndex.absent(reason)
            return actions + (now.since(since) >= Self.idleLimit ? [.finish] : [])
        }
        notWornSince = nil
        // Both are 0 while it calibrates; the other numbers are its codes for "no value".
        let saturation = Reading.Outcome.oximetry(
            [127, 255].contains(data[0]) ? nil : Int(data[0]), of: .oxygenSaturation)
        let pulse = Int(data[1]) | Int(data[2]) << 8
        actions += [
            .reading(.oxygenSaturation, saturation),
            .reading(.pulseRate, .oximetry([255, 511, 0xFFFF].contains(pulse) ? nil : pulse, of: .pulseRate)),
        ]
        return actions + perfusionIndex.report(thousandths: Int(data[10]) * 100, beside: saturation)
    }
}
