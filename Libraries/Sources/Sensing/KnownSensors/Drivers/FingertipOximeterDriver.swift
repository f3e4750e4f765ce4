import SensorDrivers
import VitalDecoders
import Vitals

/// A fingertip oximeter of Viatom, Wellue or Yuwell (FS20F, "VTM 20F"), which streams.
///
/// Frames `FE length type … checksum`; the checksum is the sum of all octets between the first one and itself. Type 55,
/// once a second: pulse (2 octets, 511 for none), saturation (127 for none), perfusion index in thousandths of a
/// percent (2 octets, 0 for none). Type 56, 50 times a second: a sample of the plethysmogram (0 to 100), flags, of
/// which only "finger out" (bit 1) is used, a bar, and a counter. Source: a public description only (the project
/// `roger-/FS20F`, with a recording of 42 seconds: 50.04 samples a second, no gap in the counter); not verified on a
/// device here. It measures saturation, pulse and perfusion index at the finger, in consumer quality.
public struct FingertipOximeterDriver: SensorDriver {
    static let characteristic = BluetoothUUID(0xFFE4)

    private var frames = FrameAssembler(limit: 128)
    private var perfusionIndex = PerfusionIndex()
    private var wave: DriverWave
    /// The samples of a notification that are not reported yet, and the counter of the first one.
    private var samples: [Int32] = []
    private var counter: UInt8 = 0

    public init(_ context: DriverContext) {
        wave = DriverWave(.plethysmogram, context, rate: 50, counterPeriod: 256)
    }

    public mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.characteristic))] + wave.change(to: .wanted)
        case .received(let octets, _): return received(octets, at: now)
        case .succeeded, .failed, .read, .timerFired, .newSensorAnswered, .nights: return []
        }
    }

    private mutating func received(_ octets: [UInt8], at now: Moment) -> [DriverAction] {
        frames.append(octets, at: now)
        var actions: [DriverAction] = []
        while let frame = nextFrame() {
            guard Checksum.sum(frame[1..<frame.count - 1]) == frame[frame.count - 1] else {
                let error = MalformedValueError(offset: frame.count - 1, reason: "the checksum does not fit")
                actions.append(.malformed(frame, of: Self.characteristic, error))
                continue
            }
            actions += values(frame, at: now)
        }
        return actions + samplesEnd(at: now)
    }

    private mutating func nextFrame() -> [UInt8]? {
        while let start = frames.octets.firstIndex(of: 0xFE) {
            frames.drop(start)
            guard frames.octets.count >= 2 else { return nil }
            let length = Int(frames.octets[1])
            guard (4...20).contains(length) else {
                frames.drop(1)
                continue
            }
            guard frames.octets.count >= length else { return nil }
            let frame = Array(frames.octets.prefix(length))
            frames.drop(length)
            return frame
        }
        frames.clear()
        return nil
    }

    private mutating func values(_ frame: [UInt8], at now: Moment) -> [DriverAction] {
        switch (frame[2], frame.count) {
        case (0x55, 10):
            let pulse = Int(frame[3]) << 8 | Int(frame[4])
            let saturation = Reading.Outcome.oximetry(frame[5] == 127 ? nil : Int(frame[5]), of: .oxygenSaturation)
            return [
                .streaming, .reading(.oxygenSaturation, saturation),
                .reading(.pulseRate, .oximetry(pulse == 511 ? nil : pulse, of: .pulseRate)),
            ] + perfusionIndex.report(thousandths: Int(frame[6]) << 8 | Int(frame[7]), beside: saturation)
        case (0x56, 8) where frame[4] & 1 << 1 != 0:
            return samplesEnd(at: now) + [.streaming] + .offFinger + perfusionIndex.absent(.offBody)
                + wave.change(to: .off)
        case (0x56, 8):
            let isNext = samples.isEmpty || frame[6] == counter &+ UInt8(truncatingIfNeeded: samples.count)
            let actions = isNext ? [] : samplesEnd(at: now)
            if samples.isEmpty { counter = frame[6] }
            samples.append(Int32(frame[3]))
            return actions
        default: return []
        }
    }

    /// Reports the samples up to here, which follow one another.
    private mutating func samplesEnd(at now: Moment) -> [DriverAction] {
        defer { samples = [] }
        return wave.report(samples, counter: Int(counter), at: now)
    }
}

extension Reading.Outcome {
    /// A whole number of an oximeter, or of a recorder like one; 0 and a missing number mean that it is searching.
    static func oximetry(_ number: Int?, of vital: Vital) -> Self {
        guard let number, number > 0 else { return .noMeasurement(.searching) }
        return Reading.Outcome(hundredths: number * 100, of: vital, .good)
    }
}

extension [DriverAction] {
    /// The readings of an oximeter without a finger.
    static let offFinger: [DriverAction] = [
        .reading(.oxygenSaturation, .noMeasurement(.offBody)), .reading(.pulseRate, .noMeasurement(.offBody)),
    ]
}
