import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// A newer ring or wristband of Viatom and Wellue (O2Ring S, S8-AW, SHQO2Pro), which must be polled.
///
/// Frames as in ``ViatomFrames``. It is logged in to (command FF, which is not answered), told not to send by itself
/// (10), and polled (04): octet 5 is the contact (0 none, 1 worn, 2 the probe is off, 3 a fault), 6 the saturation, 7
/// the perfusion index, 8 and 9 the pulse, 13 the battery, 24 and 25 the number of samples since the last answer, which
/// follow, some 125 a second. Two descriptions read octets 5 and 9 in different ways, so values are taken only where
/// both agree. No other command is ever sent: some erase its memory, or end its radio until it is charged. Polling
/// keeps it awake, so it ends when the ring is not worn. Source: public descriptions from hardware (the projects
/// `o2ring-s-protocol`, `wellue-o2ring-web-ui`,
/// `SomnoTrace` and `tepna`); not verified on a ring here. It measures saturation, pulse and perfusion index at the finger
/// or wrist, in consumer quality.
struct OxyIIDriver: SensorDriver {
    static let service = BluetoothUUID(high: 0xE8FB0001_A14B98F9, low: 0x831B4E29_41D01248)
    static let writing = BluetoothUUID(high: 0xE8FB0002_A14B98F9, low: 0x831B4E29_41D01248)
    static let notifying = BluetoothUUID(high: 0xE8FB0003_A14B98F9, low: 0x831B4E29_41D01248)

    private enum Command {
        static let live: UInt8 = 0x04
        static let sending: UInt8 = 0x10
        static let login: UInt8 = 0xFF
    }

    /// The octets of live values before the samples.
    private static let headLength = 26
    private static let contactOn: UInt8 = 1

    private var frames = ViatomFrames()
    private var watch = PollWatch()
    private var perfusionIndex = PerfusionIndex()
    private var wave: DriverWave

    init(_ context: DriverContext) { wave = DriverWave(.plethysmogram, context, rate: 125) }

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.notifying))] + wave.change(to: .wanted)
        case .succeeded(let request) where request.kind == .subscribe:
            return [
                write(ViatomFrames.request(Command.login, Self.login(at: now))),
                write(ViatomFrames.request(Command.sending, [0])),
            ] + ask()
        case .received(let octets, _):
            let answers = frames.answers(in: octets, to: Command.live, ofAtLeast: Self.headLength, at: now)
            return answers.flatMap { received($0, at: now) }
        case .timerFired:
            guard watch.intervalEnded(watch.interval(wave)) else { return [.finish] }
            frames.clear()
            if !watch.isAnswered { wave.interrupt() }
            return ask()
        case .succeeded, .failed, .read, .newSensorAnswered: return []
        }
    }

    /// The data of a login: a constant of the protocol, and the time in seconds since 1970, hidden by four octets.
    ///
    /// The constant is made of the digest of the maker's word and the number `0000`.
    static func login(at now: Moment) -> [UInt8] {
        let seconds = UInt32(truncatingIfNeeded: now.wallMilliseconds / 1000)
        let hidden = seconds ^ 0xF335_43C4
        return [0x00, 0x68, 0x15, 0x88, 0x72, 0x09, 0x1C, 0xB0, 0x98, 0xC8, 0xC7, 0xDA]
            + (0..<4).map { UInt8(truncatingIfNeeded: hidden >> (8 * $0)) }
    }

    private func write(_ octets: [UInt8]) -> DriverAction {
        .request(.writeWithoutResponse(octets, to: Self.writing))
    }

    private mutating func ask() -> [DriverAction] {
        watch.ask()
        return [
            write(ViatomFrames.request(Command.live)),
            .setTimer(watch.interval(wave)),
        ]
    }

    private mutating func received(_ answer: ViatomFrames.Answer, at now: Moment) -> [DriverAction] {
        switch answer {
        case .malformed(let frame, let error): [.malformed(frame, of: Self.notifying, error)]
        case .data(let data, let frame): live(data, frame, at: now)
        }
    }

    private mutating func live(_ data: [UInt8], _ frame: [UInt8], at now: Moment) -> [DriverAction] {
        var actions: [DriverAction] = [.streaming]
        if data[13] <= 100 { actions.append(.battery(Int(data[13]))) }
        let isWorn = data[5] == Self.contactOn
        let goesOn = watch.answered(isWorn: isWorn, at: now)
        guard isWorn else {
            let reason = [0, 2].contains(data[5]) ? AbsenceReason.offBody : .equipment
            actions += ViatomOximetry.absent(reason, perfusionIndex) + wave.change(to: .off)
            return actions + (goesOn ? [] : [.finish])
        }
        let pulse = data[9] == 0 ? Int(data[8]) : 0xFFFF
        actions += ViatomOximetry(saturation: data[6], pulse: pulse, perfusionIndex: data[7])
            .readings(&perfusionIndex)
        let count = Int(data[24]) | Int(data[25]) << 8
        let samples = ViatomOximetry.samples(data.dropFirst(Self.headLength).prefix(count))
        if samples.count < count {
            actions.append(.malformed(frame, of: Self.notifying, .samplesMissing(samples.count, of: count)))
        }
        return actions + wave.report(samples, of: count, at: now)
    }
}
