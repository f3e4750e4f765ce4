import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// A ring or wristband of the Viatom and Wellue family (O2Ring, KidsO2, SleepU, Checkme O2), which must be polled.
///
/// Request `AA command ~command block16 length16 data crc8`, answer `55 result ~result block16 length16 data crc8`,
/// split over notifications; an answer has some 145 octets, and does not say to which command. Of the live values
/// (command 17), octet 0 is the saturation, 1 and 2 the pulse, 7 the battery, 10 the perfusion index and 11 the lead: 0
/// is off, 1 is on, others are errors. While its plethysmogram is wanted and it is worn, command 1B asks for the same
/// values with the samples since the last answer, 125 a second: octets 0 to 2 as before, 3 the battery, 5 the perfusion
/// index, 6 the lead, 10 and 11 the number of samples, which follow. Where that is not answered, or answered with an
/// error, the next poll is for the values alone. Polling keeps the ring awake, so it ends when the ring is not worn.
/// Its stored nights are fetched between two polls (`NightTransfer`).
/// Source: public descriptions only (the programs `o2r` and `viatom-ble`, the maker's LepuBle); not verified on a ring.
/// It measures saturation, pulse and perfusion index at the thumb or finger, in consumer quality, averaged over some
/// seconds.
public struct OximeterRingDriver: SensorDriver {
    /// The service that it advertises.
    public static let service = BluetoothUUID(high: 0x14839AC4_7D7E415C, low: 0x9A421673_40CF2339)
    static let writing = BluetoothUUID(high: 0x8B00ACE7_EB0B49B0, low: 0xBBE99AEE_0A26E1A3)
    static let notifying = BluetoothUUID(high: 0x0734594A_A8E74B1A, low: 0xA6B1CD52_43059A57)
    /// The longest data of an answer in octets: some more than the 137 of one second.
    static let longestData = 12 + 255

    /// What a poll asks for.
    enum Poll: Hashable, Sendable {
        /// The live values.
        case values
        /// The live values with the samples since the last answer.
        case wave

        /// The request.
        var octets: [UInt8] {
            switch self {
            case .values: [0xAA, 0x17, 0xE8, 0x00, 0x00, 0x00, 0x00, 0x1B]
            case .wave: [0xAA, 0x1B, 0xE4, 0x00, 0x00, 0x01, 0x00, 0x00, 0x5E]
            }
        }

        /// The time to the next poll.
        var interval: Duration { self == .wave ? .seconds(1) : .seconds(2) }
    }

    private var frame = FrameAssembler(limit: 2 * OximeterRingNights.longestData)
    private var watch = PollWatch()
    private var perfusionIndex = PerfusionIndex()
    private var wave: DriverWave
    private var nights: NightTransfer<OximeterRingNights>
    private var asked = Poll.values
    private var askedAt: Moment?
    /// What the next poll asks for.
    private var next = Poll.values
    /// How many more polls for the wave may fail one after the other.
    private var attemptsLeft = Self.attempts

    private static let attempts = 3
    private static let withoutWave = "It does not answer when it is asked for its plethysmogram."

    public init(_ context: DriverContext) {
        wave = DriverWave(.plethysmogram, context, rate: 125)
        nights = NightTransfer(context)
    }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.notifying))] + wave.change(to: .wanted)
        case .succeeded(let request) where request.kind == .subscribe: return continued(nights.begin(at: now), at: now)
        case .received(let octets, _): return received(octets, at: now)
        case .nights(.wanted): return nights.want()
        case .nights(.handled(let name, let problem)): return nights.handled(name, problem: problem)
        case .timerFired where nights.isBusy:
            return paused + continued(nights.ticked(at: now), at: now)
        case .timerFired:
            guard watch.intervalEnded(asked.interval) else { return [.finish] }
            frame.clear()
            return (watch.isAnswered ? [] : failed(attempts: 1)) + ask(at: now)
        case .succeeded, .failed, .read, .newSensorAnswered: return []
        }
    }

    private mutating func ask(at now: Moment) -> [DriverAction] {
        (asked, askedAt) = (next, now)
        watch.ask()
        return [.request(.write(asked.octets, to: Self.writing)), .setTimer(asked.interval)]
    }

    /// Handles a poll that failed: the next one asks for the values alone.
    private mutating func failed(attempts: Int) -> [DriverAction] {
        next = .values
        guard asked == .wave else { return [] }
        attemptsLeft -= attempts
        wave.interrupt()
        return attemptsLeft > 0 ? [] : wave.change(to: .refused(Self.withoutWave))
    }

    private mutating func received(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        frame.append(octets, at: now)
        var actions: [DriverAction] = []
        while let answer = nextAnswer() { actions += answered(answer, at: now) }
        return actions
    }

    /// Present values again after a transfer of nights, which nothing may come between.
    private mutating func continued(_ actions: [DriverAction], at now: Moment) -> [DriverAction] {
        actions + (nights.isBusy ? [] : ask(at: now))
    }

    /// What is said of the values while nights are transferred.
    private var paused: [DriverAction] {
        nights.absence.map { ViatomOximetry.absent($0, perfusionIndex) } ?? []
    }

    private mutating func answered(_ answer: [UInt8], at now: Moment) -> [DriverAction] {
        let data = Array(answer[7..<answer.count - 1])
        guard Checksum.crc8(answer.dropLast()) == answer.last else {
            let error = MalformedValueError(offset: answer.count - 1, reason: "the CRC does not fit")
            let malformed = DriverAction.malformed(answer, of: Self.notifying, error)
            return [malformed] + (nights.isBusy ? continued(nights.damaged(at: now), at: now) : [])
        }
        if nights.isBusy {
            let isPaused = nights.absence != nil
            let actions = answer[1] == 0 ? nights.answered(data, at: now) : nights.refused(answer[1], at: now)
            return (isPaused ? [] : paused) + continued(actions, at: now)
        }
        guard answer[1] == 0, data.count >= 12 else {
            guard asked == .wave, !watch.isAnswered else { return [] }
            // Its values are not to wait for the end of the interval.
            return failed(attempts: Self.attempts) + ask(at: now)
        }
        return isWave(data) ? waveCame(data, answer, at: now) : valuesCame(data, at: now)
    }

    private mutating func nextAnswer() -> [UInt8]? {
        while let first = frame.octets.first {
            guard first == 0x55 else {
                frame.drop(1)
                continue
            }
            guard frame.octets.count >= 8 else { return nil }
            let length = Int(frame.octets[5]) | Int(frame.octets[6]) << 8
            // What remains of an answer that came too late may begin with the same octet.
            let longest = nights.isBusy ? OximeterRingNights.longestData : Self.longestData
            guard frame.octets[1] ^ frame.octets[2] == 0xFF, length <= longest else {
                frame.drop(1)
                continue
            }
            guard frame.octets.count >= 8 + length else { return nil }
            let answer = Array(frame.octets.prefix(8 + length))
            frame.drop(answer.count)
            return answer
        }
        return nil
    }

    /// Whether an answer is one to ``Poll/wave``, by its form: an answer that comes late is not one to the last poll.
    private func isWave(_ data: [UInt8]) -> Bool {
        // The number of samples is below 256. In the other layout this is the lead, and 0 there is 0 in this layout, too.
        guard data[11] == 0 else { return false }
        return asked == .wave || data.count == 12 + Int(data[10]) && (data[10] > 1 || data[6] == 1)
    }

    private mutating func valuesCame(_ data: [UInt8], at now: Moment) -> [DriverAction] {
        live(
            ViatomOximetry(
                saturation: data[0], pulse: Int(data[1]) | Int(data[2]) << 8, perfusionIndex: data[10]),
            battery: data[7], lead: data[11], at: now)
    }

    private mutating func waveCame(_ data: [UInt8], _ answer: [UInt8], at now: Moment) -> [DriverAction] {
        guard data[6] == 1 else {
            // Whether it is off the body is said by the values, whose layout is known better.
            guard asked == .wave, !watch.isAnswered else { return [] }
            return failed(attempts: 1) + ask(at: now)
        }
        if asked == .wave { attemptsLeft = Self.attempts }
        let values = ViatomOximetry(
            saturation: data[0], pulse: Int(data[1]) | Int(data[2]) << 8, perfusionIndex: data[5])
        var actions = live(values, battery: data[3], lead: data[6], at: now)
        let count = Int(data[10])
        let samples = ViatomOximetry.samples(data.dropFirst(12).prefix(count))
        if samples.count < count {
            actions.append(.malformed(answer, of: Self.notifying, .samplesMissing(samples.count, of: count)))
        }
        return actions + wave.report(samples, of: count, at: now)
    }

    private mutating func live(
        _ values: ViatomOximetry, battery: UInt8, lead: UInt8, at now: Moment
    ) -> [DriverAction] {
        var actions: [DriverAction] = [.streaming]
        if battery <= 100 { actions.append(.battery(Int(battery))) }
        // A ring with an error does not count as worn.
        let isWorn = lead == 1
        let goesOn = watch.answered(isWorn: isWorn, at: now)
        // A wave is no reason to ask more often than for the values while nothing is measured.
        next = isWorn && wave.isWanted && attemptsLeft > 0 ? .wave : .values
        if isWorn, asked == .values, next == .wave, let askedAt {
            // So early that, if it is not answered, values are asked for as soon as without a wave.
            actions.append(.setTimer(max(.zero, Poll.wave.interval - now.since(askedAt))))
        }
        if isWorn {
            actions += values.readings(&perfusionIndex)
        } else {
            actions += ViatomOximetry.absent(lead == 0 ? .offBody : .equipment, perfusionIndex) + wave.change(to: .off)
        }
        // A ring with an error measures nothing, but may be worn.
        actions += nights.consider(isWorn: lead != 0, isLeftAlone: !goesOn, at: now)
        return actions + (goesOn || nights.isBusy ? [] : [.finish])
    }
}
