import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// A newer ring or wristband of Viatom and Wellue (O2Ring S, S8-AW, SHQO2Pro), which must be polled.
///
/// Frames as in `ViatomFrames`. It is logged in to (command FF, which is not answered), told not to send by itself
/// (10), and polled (04): octet 5 is the contact (0 none, 1 worn, 2 the probe is off, 3 a fault), 6 the saturation, 7
/// the perfusion index, 8 and 9 the pulse, 13 the battery, 24 and 25 the number of samples since the last answer, which
/// follow, some 125 a second. Two descriptions read octets 5 and 9 in different ways, so values are taken only where
/// both agree. Its stored nights are fetched before the first poll of a link (`NightTransfer`, `OxyIINights`). No other
/// command is ever sent: some erase its memory, or end its radio until it is charged. Polling keeps it awake, so it ends
/// when the ring is not worn. Source: public descriptions from hardware (the projects
/// `o2ring-s-protocol`, `wellue-o2ring-web-ui`,
/// `SomnoTrace` and `tepna`); not verified on a ring here. It measures saturation, pulse and perfusion index at the finger
/// or wrist, in consumer quality.
public struct OxyIIDriver: SensorDriver {
    public static let service = BluetoothUUID(high: 0xE8FB0001_A14B98F9, low: 0x831B4E29_41D01248)
    static let writing = BluetoothUUID(high: 0xE8FB0002_A14B98F9, low: 0x831B4E29_41D01248)
    static let notifying = BluetoothUUID(high: 0xE8FB0003_A14B98F9, low: 0x831B4E29_41D01248)

    /// The beginnings of the names that they advertise.
    static let names = ["O2Ring S", "S8-AW", "SHQO2Pro", "Band-WU"]
    /// The number with which they advertise, which is no company's in the Assigned Numbers.
    static let company: UInt16 = 0xF34E

    private enum Command {
        static let live: UInt8 = 0x04
        static let sending: UInt8 = 0x10
        static let login: UInt8 = 0xFF
    }

    /// The octets of live values before the samples.
    private static let headLength = 26
    private static let contactOn: UInt8 = 1
    private static let contactOff: [UInt8] = [0, 2]

    private var frames = ViatomFrames()
    private var watch = PollWatch()
    private var perfusionIndex = PerfusionIndex()
    private var wave: DriverWave
    private var nights: NightTransfer<OxyIINights>

    public init(_ context: DriverContext) {
        wave = DriverWave(.plethysmogram, context, rate: 125)
        nights = NightTransfer(context)
    }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.notifying))] + wave.change(to: .wanted)
        case .succeeded(let request) where request.kind == .subscribe:
            return [
                write(ViatomFrames.request(Command.login, Self.login(at: now))),
                write(ViatomFrames.request(Command.sending, [0])),
            ] + continued(nights.begin(at: now))
        case .received(let octets, _): return frames.frames(in: octets, at: now).flatMap { received($0, at: now) }
        case .nights(.wanted): return nights.want()
        case .nights(.handled(let name, let problem)): return nights.handled(name, problem: problem)
        case .timerFired where nights.isBusy: return paused + continued(nights.ticked(at: now))
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

    private mutating func received(_ frame: ViatomFrames.Frame, at now: Moment) -> [DriverAction] {
        if let request = nights.request { return received(frame, for: request, at: now) }
        let isLive = frame.command == Command.live && frame.flag == ViatomFrames.success
        guard isLive || !frame.isSound else { return [] }
        if let error = frame.error(atLeast: Self.headLength) {
            return [.malformed(frame.octets, of: Self.notifying, error)]
        }
        return live(frame.data, frame.octets, at: now)
    }

    /// Handles a frame while nights are transferred.
    private mutating func received(
        _ frame: ViatomFrames.Frame, for request: NightRequest, at now: Moment
    ) -> [DriverAction] {
        if let error = frame.error() {
            return [.malformed(frame.octets, of: Self.notifying, error)] + continued(nights.damaged(at: now))
        }
        guard frame.command == OxyIINights.command(request) else { return [] }
        let isPaused = nights.absence != nil
        let actions =
            frame.flag == ViatomFrames.success
            ? nights.answered(frame.data, at: now) : nights.refused(frame.flag, at: now)
        return (isPaused ? [] : paused) + continued(actions)
    }

    /// Present values again after a transfer of nights, or before one.
    private mutating func continued(_ actions: [DriverAction]) -> [DriverAction] {
        actions + (nights.isBusy ? [] : ask())
    }

    /// What is said of the values while nights are transferred.
    private var paused: [DriverAction] {
        nights.absence.map { ViatomOximetry.absent($0, perfusionIndex) } ?? []
    }

    private mutating func live(_ data: [UInt8], _ frame: [UInt8], at now: Moment) -> [DriverAction] {
        var actions: [DriverAction] = [.streaming]
        if data[13] <= 100 { actions.append(.battery(Int(data[13]))) }
        let isWorn = data[5] == Self.contactOn
        let goesOn = watch.answered(isWorn: isWorn, at: now)
        let isOff = Self.contactOff.contains(data[5])
        let about = nights.consider(isWorn: !isOff, isLeftAlone: !goesOn, at: now)
        guard isWorn else {
            actions += ViatomOximetry.absent(isOff ? .offBody : .equipment, perfusionIndex) + wave.change(to: .off)
            return actions + about + (goesOn || !about.isEmpty ? [] : [.finish])
        }
        let pulse = data[9] == 0 ? Int(data[8]) : 0xFFFF
        actions += ViatomOximetry(saturation: data[6], pulse: pulse, perfusionIndex: data[7])
            .readings(&perfusionIndex)
        let count = Int(data[24]) | Int(data[25]) << 8
        let samples = ViatomOximetry.samples(data.dropFirst(Self.headLength).prefix(count))
        if samples.count < count {
            actions.append(.malformed(frame, of: Self.notifying, .samplesMissing(samples.count, of: count)))
        }
        return actions + wave.report(samples, of: count, at: now) + about
    }
}
