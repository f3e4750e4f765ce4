import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// An ECG recorder of Viatom (ER1, ER2, VBeat, DuoEK), which must be polled.
///
/// It has the service of ``OximeterRingDriver`` and frames as in `ViatomFrames`, and is known by its name. Command 03
/// with 7D is answered by octets 0 and 1 the pulse, 3 the battery, 8 the state in its low half (7: a lead is off), 20
/// and 21 the number of samples since the last answer, which follow: two octets each, 125 a second, 0.002467 mV a step,
/// 7FFF for none. Nothing counts them, so the loss of an answer begins the wave anew. Polling ends after two minutes
/// without its leads. Source: the maker's LepuDemo; not verified on a device. It measures the heart rate from one lead,
/// in consumer quality.
public struct ViatomECGDriver: SensorDriver {
    /// How the names of these recorders begin.
    static let names = ["ER1", "ER2", "VBeat", "DuoEK"]

    private enum Command {
        static let live: UInt8 = 0x03
        /// The rate of its answer, as the maker's program asks for it.
        static let rate: UInt8 = 0x7D
    }

    /// The octets of live values before the samples.
    private static let headLength = 22
    private static let idle: UInt8 = 0
    private static let leadOff: UInt8 = 7

    private var frames = ViatomFrames()
    private var watch = PollWatch()
    private var wave: DriverWave
    private var number: UInt8 = 0

    public init(_ context: DriverContext) { wave = DriverWave(.electrocardiogram, context, rate: 125) }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected:
            return [.request(.subscribe(OximeterRingDriver.notifying))] + wave.change(to: .wanted)
        case .succeeded(let request) where request.kind == .subscribe: return ask()
        case .received(let octets, _):
            let answers = frames.answers(in: octets, to: Command.live, ofAtLeast: Self.headLength, at: now)
            return answers.flatMap { received($0, at: now) }
        case .timerFired:
            guard watch.intervalEnded(watch.interval(wave)) else { return [.finish] }
            frames.clear()
            if !watch.isAnswered { wave.interrupt() }
            return ask()
        case .succeeded, .failed, .read, .newSensorAnswered, .nights: return []
        }
    }

    private mutating func ask() -> [DriverAction] {
        watch.ask()
        let request = ViatomFrames.request(Command.live, [Command.rate], number: number)
        number &+= 1
        return [
            .request(.write(request, to: OximeterRingDriver.writing)),
            .setTimer(watch.interval(wave)),
        ]
    }

    private mutating func received(_ answer: ViatomFrames.Answer, at now: Moment) -> [DriverAction] {
        switch answer {
        case .malformed(let frame, let error): [.malformed(frame, of: OximeterRingDriver.notifying, error)]
        case .data(let data, let frame): live(data, frame, at: now)
        }
    }

    private mutating func live(_ data: [UInt8], _ frame: [UInt8], at now: Moment) -> [DriverAction] {
        var actions: [DriverAction] = [.streaming]
        if data[3] <= 100 { actions.append(.battery(Int(data[3]))) }
        let pulse = Int(data[0]) | Int(data[1]) << 8
        let state = data[8] & 0x0F
        // One that does nothing is left alone, too.
        let goesOn = watch.answered(isWorn: state != Self.leadOff && (state != Self.idle || pulse != 0), at: now)
        guard state != Self.leadOff else {
            actions += [.reading(.heartRate, .noMeasurement(.offBody))] + wave.change(to: .off)
            return actions + (goesOn ? [] : [.finish])
        }
        actions.append(.reading(.heartRate, .oximetry(pulse == 0xFFFF ? nil : pulse, of: .heartRate)))
        let count = Int(data[20]) | Int(data[21]) << 8
        let samples = data.dropFirst(Self.headLength).prefix(2 * count)
        let values = stride(from: samples.startIndex, to: samples.endIndex - 1, by: 2).map {
            Self.microvolts(samples[$0], samples[$0 + 1])
        }
        if values.count < count {
            actions.append(
                .malformed(frame, of: OximeterRingDriver.notifying, .samplesMissing(values.count, of: count)))
        }
        return actions + wave.report(values, of: count, at: now) + (goesOn ? [] : [.finish])
    }

    private static func microvolts(_ low: UInt8, _ high: UInt8) -> Int32 {
        let step = Int16(truncatingIfNeeded: Int(low) | Int(high) << 8)
        return step == .max ? WavePiece.missing : Int32((Double(step) * 2.467).rounded())
    }
}
