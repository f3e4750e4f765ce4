import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// The wave of a sensor that sends no times with it: whether it is wanted, its state, and the clock that counts it.
struct DriverWave: Sendable {
    /// Whether somebody looks at it or records it; else nothing is reported of it.
    let isWanted: Bool
    private let kind: WaveKind
    private var clock: CountedSampleClock
    private var state: WaveState?

    /// - Parameters:
    ///   - kind: A kind of one channel.
    ///   - context: What is wanted.
    ///   - rate: Samples a second by the sensor's documentation.
    ///   - counterPeriod: After how many samples the sensor's counter begins again; `nil` without a counter.
    init(_ kind: WaveKind, _ context: DriverContext, rate: Double, counterPeriod: Int? = nil) {
        self.kind = kind
        isWanted = context.waves.contains(kind)
        clock = CountedSampleClock(nominalRate: rate, counterPeriod: counterPeriod)
    }

    /// The most samples of an answer that are believed.
    private static let longestAnswer = 256

    private var isRefused: Bool {
        if case .refused = state { true } else { false }
    }

    /// What to report of a state, if it is a new one; nothing follows a refusal.
    mutating func change(to state: WaveState) -> [DriverAction] {
        guard isWanted, !isRefused, state != self.state else { return [] }
        self.state = state
        // What comes after an interruption does not continue what came before, and nothing of it is lost.
        if state != .streaming { clock.interrupt() }
        return [.waveState(kind, state)]
    }

    /// Lets the next samples begin anew.
    mutating func interrupt() { clock.interrupt() }

    /// What to report of samples that follow one another.
    ///
    /// - Parameters:
    ///   - samples: The values.
    ///   - count: How many there should be; the missing ones are a gap. `nil` for as many as there are.
    ///   - beats: The samples at which the sensor marked a pulse, in ascending order.
    ///   - counter: The sensor's counter of the first one, in samples; `nil` without a counter.
    ///   - now: When they arrived.
    mutating func report(
        _ samples: [Int32], of count: Int? = nil, beats: [Int] = [], counter: Int? = nil, at now: Moment
    ) -> [DriverAction] {
        let missing = min(count ?? 0, Self.longestAnswer) - samples.count
        let samples = samples + repeatElement(WavePiece.missing, count: max(0, missing))
        guard isWanted, !isRefused,
            let placement = clock.place(samples.count, counter: counter, at: now.monotonic)
        else { return [] }
        return change(to: .streaming) + [.wave(WavePiece(kind, samples, placement, beats: beats))]
    }
}

extension MalformedValueError {
    /// A value that announces more samples than are in it.
    static func samplesMissing(_ present: Int, of count: Int) -> Self {
        MalformedValueError(offset: 0, reason: "\(present) of \(count) samples present")
    }
}
