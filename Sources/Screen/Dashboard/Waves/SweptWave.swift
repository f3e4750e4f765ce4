import Base
import Vitals
import Waves

/// One stream as the screen knows it: its newest samples, its state, and the heights at which it is drawn.
struct SweptWave: Sendable {
    let sensor: SensorIdentity
    let kind: WaveKind
    private(set) var state = WaveState.wanted
    /// Since when it is in that state.
    private(set) var since: Moment
    /// When the newest samples came; `nil` before the first.
    private(set) var arrived: Moment?
    private(set) var ring = WaveRing()
    /// The heights of the sweeps, the newest last.
    private(set) var scales: [WaveScale] = []
    /// How the heights were divided last, and up to which column.
    private var scaled: (sweep: WaveSweep, column: Int64)?

    /// How far the pen is behind the present.
    static let delay = WaveBlock.drawingDelay
    /// How long after its newest sample a wave is drawn: a pen that has stopped stays for a second.
    static let longestSilence = Duration.milliseconds(2500)
    /// Blocks of a farther future have a wrong time.
    private static let farthest = Duration.seconds(5)

    init(_ sensor: SensorIdentity, _ kind: WaveKind, at now: Moment) {
        (self.sensor, self.kind, since) = (sensor, kind, now)
    }

    /// Takes an update of the stream.
    mutating func take(_ update: WaveUpdate, at now: Moment) {
        switch update {
        case .block(let block):
            // What is older than a strip would never be seen, and what is not yet must not clear it.
            guard block.end <= now.monotonic.advanced(by: Self.farthest) else { return }
            if state != .streaming { (state, since) = (.streaming, now) }
            arrived = now
            ring.add(block)
        case .state(_, _, let new):
            if new != state { (state, since) = (new, now) }
            // What was before an end is not joined with what comes after it.
            if new != .streaming { (ring, arrived, scales, scaled) = (WaveRing(), nil, [], nil) }
        }
    }

    /// Where the pen would be if it had samples.
    private static func penTime(at now: MonotonicTime, isMotionReduced: Bool) -> MonotonicTime {
        let time = now.advanced(by: .zero - delay)
        guard isMotionReduced else { return time }
        let second: Int64 = 1_000_000_000
        return MonotonicTime(
            nanoseconds: time.nanoseconds.subtractingSaturated((time.nanoseconds % second + second) % second))
    }

    /// The newest step with a sample that the pen has passed, if it is new enough to be drawn as live.
    private func newestDrawn(at now: MonotonicTime, isMotionReduced: Bool) -> Int64? {
        let first = WaveRing.step(of: now.advanced(by: .zero - Self.silence(isMotionReduced: isMotionReduced))) + 1
        let time = Self.penTime(at: now, isMotionReduced: isMotionReduced).advanced(by: .zero - WaveSweep.longestColumn)
        let last = WaveRing.step(of: time) - 1
        return first <= last ? ring.newest(in: first...last) : nil
    }

    /// Whether it may be drawn beside a live number: the pen has passed a sample that is new enough, and more still come.
    func isLive(at now: Moment, isMotionReduced: Bool = false) -> Bool {
        guard state == .streaming, let end = end(at: now, isMotionReduced: isMotionReduced) else { return false }
        return now < end
    }

    /// When it will no longer be live, unless something comes; `nil` if it is not.
    func end(at now: Moment, isMotionReduced: Bool = false) -> Moment? {
        guard let known = ring.known, let drawn = newestDrawn(at: now.monotonic, isMotionReduced: isMotionReduced)
        else {
            return nil
        }
        func time(_ step: Int64, _ silence: Duration) -> MonotonicTime {
            MonotonicTime(nanoseconds: step.multipliedSaturated(by: WaveRing.step)).advanced(by: silence)
        }
        let end = min(
            time(known.upperBound, Self.longestSilence), time(drawn, Self.silence(isMotionReduced: isMotionReduced)))
        return now.advanced(byNanoseconds: end.nanoseconds(since: now.monotonic))
    }

    /// How old the newest sample on the screen may be: with reduced motion it is drawn up to a second later.
    private static func silence(isMotionReduced: Bool) -> Duration {
        isMotionReduced ? longestSilence + .seconds(1) : longestSilence
    }

    /// The pen: a column, evenly behind the present; where the samples end, it stops and draws nothing that has not come.
    ///
    /// - Returns: `nil` before the first sample.
    func pen(at now: Moment, _ sweep: WaveSweep, isMotionReduced: Bool = false) -> Int64? {
        guard let known = ring.known else { return nil }
        // Only a column that is over is complete.
        let due = sweep.column(of: Self.penTime(at: now.monotonic, isMotionReduced: isMotionReduced)) - 1
        let pen = min(due, sweep.column(ofStep: known.upperBound))
        return pen < sweep.column(ofStep: known.lowerBound) ? nil : pen
    }

    // MARK: Heights

    /// Determines the heights up to a pen.
    mutating func advance(to pen: Int64, _ sweep: WaveSweep) {
        if scaled?.sweep != sweep { (scales, scaled) = ([], nil) }
        // Of a long pause only what is still shown matters.
        let first = scaled.map { max($0.column + 1, sweep.shown(pen: pen).lowerBound) } ?? pen
        guard first <= pen else { return }
        scaled = (sweep, pen)
        for column in first...pen {
            let begins = scales.isEmpty || sweep.place(of: column).place == 0
            if begins, let scale = WaveScale(kind, ring, at: column, sweep, after: scales.last) {
                scales.append(scale)
            } else if let span = ring.span(of: sweep.steps(of: column)),
                let wider = scales.last?.widened(for: span, column)
            {
                scales.append(wider)
            }
        }
        let oldest = sweep.shown(pen: pen).lowerBound
        while scales.count > 1, scales[1].from <= oldest { scales.removeFirst() }
    }

    /// The heights of a column.
    func scale(of column: Int64) -> WaveScale? { scales.last { $0.from <= column } ?? scales.first }
}

/// At which height values are drawn, from a column on.
///
/// It changes only where a sweep begins, so that nothing within a sweep is distorted: a drift of the baseline stays
/// visible, and is followed from one sweep to the next. Only the automatic gain of a plethysmogram widens within a sweep
/// where the wave would leave the strip.
struct WaveScale: Hashable, Sendable {
    /// The first column.
    let from: Int64
    /// What is drawn at the baseline of a fixed gain, or the lowest and the highest value of an automatic one.
    let range: ClosedRange<Int32>
    /// Whether the gain is fixed.
    let isFixed: Bool

    /// The time whose values determine it.
    private static let memory: Int64 = 8_000_000_000
    /// The least change of the baseline that is followed, in µV: a smaller one would only make the trace jump.
    private static let leastShift: Int32 = 100
    /// The least height of an automatic gain, in steps of the sensor: noise is not made large.
    private static let leastHeight: Int32 = 10

    private init(from: Int64, _ range: ClosedRange<Int32>, isFixed: Bool) {
        (self.from, self.range, self.isFixed) = (from, range, isFixed)
    }

    /// The scale of a sweep by what came before it, or at the beginning by what waits for the pen.
    ///
    /// - Returns: `nil` without a value.
    init?(_ kind: WaveKind, _ ring: WaveRing, at column: Int64, _ sweep: WaveSweep, after former: WaveScale?) {
        let first = sweep.steps(of: column).lowerBound
        let ahead = ring.known.map { max(first, $0.upperBound) } ?? first
        let steps = first - Self.memory / WaveRing.step..<(former == nil ? ahead + 1 : first)
        let isFixed = kind.traits.isGainFixed
        if isFixed {
            guard let middle = ring.median(of: steps) else { return nil }
            let isNear = former.map { abs($0.range.lowerBound.distance(to: middle)) < Int(Self.leastShift) } ?? false
            let baseline = isNear ? former?.range.lowerBound ?? middle : middle
            self.init(from: column, baseline...baseline, isFixed: true)
        } else {
            guard var span = ring.span(of: steps) else { return nil }
            let missing = Self.leastHeight - Int32(clamping: span.lowerBound.distance(to: span.upperBound))
            if missing > 0 { span = span.widened(by: missing / 2 + 1) }
            // Slow release: at most a quarter of the height in a sweep, so that a weak beat looks weak.
            if let former {
                let (low, high) = (former.range.lowerBound, former.range.upperBound)
                let release = Int32(clamping: low.distance(to: high) / 8)
                let (lowest, highest) = (low.addingClamped(release), high.addingClamped(-release))
                span = min(span.lowerBound, lowest)...max(span.upperBound, highest)
            }
            self.init(from: column, span, isFixed: false)
        }
    }

    /// The scale from a column on whose values leave it; `nil` if they do not, or the gain is fixed.
    func widened(for span: ClosedRange<Int32>, _ column: Int64) -> WaveScale? {
        guard !isFixed, span.lowerBound < range.lowerBound || span.upperBound > range.upperBound else { return nil }
        let all = min(span.lowerBound, range.lowerBound)...max(span.upperBound, range.upperBound)
        // Not at each column of an upstroke anew.
        let margin = Int32(clamping: all.lowerBound.distance(to: all.upperBound) / 8)
        let low = span.lowerBound < range.lowerBound ? all.lowerBound.addingClamped(-margin) : all.lowerBound
        let high = span.upperBound > range.upperBound ? all.upperBound.addingClamped(margin) : all.upperBound
        return WaveScale(from: column, low...high, isFixed: false)
    }
}

extension WaveRing {
    /// The median of the middles of some steps' values; `nil` without a value.
    func median(of steps: Range<Int64>) -> Int32? {
        // One in four is enough, and a fourth of the time.
        var middles = stride(from: steps.lowerBound, to: steps.upperBound, by: 4).compactMap { step -> Int32? in
            span(of: step..<step + 4).map { Int32((Int64($0.lowerBound) + Int64($0.upperBound)) / 2) }
        }
        guard !middles.isEmpty else { return nil }
        middles.sort()
        return middles[middles.count / 2]
    }
}

extension Int32 {
    fileprivate func addingClamped(_ other: Int32) -> Int32 { Int32(clamping: Int64(self) + Int64(other)) }
}

extension ClosedRange<Int32> {
    fileprivate func widened(by margin: Int32) -> ClosedRange<Int32> {
        lowerBound.addingClamped(-margin)...upperBound.addingClamped(margin)
    }
}
