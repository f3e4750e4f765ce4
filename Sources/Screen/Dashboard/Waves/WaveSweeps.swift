import Base
import Monitoring
import TextGrid
import Vitals
import Waves
import Wording

/// The waves that the screen knows, and which of them it may show beside which number.
///
/// A value: the same updates at the same times make the same strips. Time and updates come from the caller.
public struct WaveSweeps: Sendable {
    private var waves: [WaveStream: SweptWave] = [:]
    /// The waves as they were when a key froze them.
    private var frozen: (at: Moment, waves: [WaveStream: SweptWave])?

    /// The most streams that are kept; no bed has as many.
    private static let limit = 32

    public init() {}

    /// Takes updates, in their order.
    public mutating func take(_ updates: [WaveUpdate], at now: Moment) {
        for update in updates {
            let stream = update.stream
            guard stream.kind.traits.isShown else { continue }
            if waves[stream] == nil {
                guard waves.count < Self.limit else { continue }
                let sensor =
                    switch update {
                    case .block(let block): block.sensor
                    case .state(let sensor, _, _): sensor
                    }
                waves[stream] = SweptWave(sensor, stream.kind, at: now)
            }
            waves[stream]?.take(update, at: now)
        }
    }

    /// Keeps the waves as they are while the screen is frozen, or lets them go on.
    public mutating func follow(_ screen: ScreenState) {
        guard let moment = screen.waves.frozen?.at else { return frozen = nil }
        if frozen?.at != moment { frozen = (moment, waves) }
    }

    /// Forgets everything: another patient, or another recording.
    public mutating func forget() { (waves, frozen) = ([:], nil) }

    /// A wave: the frozen one while the screen is frozen.
    func wave(_ stream: WaveStream) -> SweptWave? { frozen?.waves[stream] ?? waves[stream] }

    /// The time that waves are drawn for.
    func time(at now: Moment) -> Moment { frozen?.at ?? now }

    /// What is known of the waves that belong beside the large vitals.
    ///
    /// A wave belongs beside the number that the same sensor measures, at one place, and is drawn there only while both
    /// are live. So a wave that stands still never stands beside a number that goes on, nor the reverse.
    public func strips(for state: MonitorState, at now: Moment) -> [ShownVital.Place: WaveStrip] {
        if waves.isEmpty { return [:] }
        let shown = state.shownVitals(at: now)
        let isMotionReduced = state.settings.alarmSignals.isMotionReduced
        var strips: [ShownVital.Place: WaveStrip] = [:]
        for kind in WaveKind.allCases where kind.traits.isShown {
            for vital in kind.traits.vitals {
                guard let place = shown.first(where: { $0.vital.vital == vital }), strips[place.place] == nil,
                    let source = place.vital.source, let wave = waves[WaveStream(source.address, kind)]
                else { continue }
                let sample = place.vital.condition.isMeasured ? place.vital.condition.lastSample : nil
                let stream = WaveStream(source.address, kind)
                let isDrawn =
                    sample?.sensor.address == source.address
                    && self.wave(stream)?.isLive(at: time(at: now), isMotionReduced: isMotionReduced) == true
                strips[place.place] = WaveStrip(
                    stream: stream, phase: isDrawn ? .drawn : WaveStrip.Phase(wave, isMeasured: sample != nil, at: now))
                break
            }
        }
        return strips
    }

    /// Why sensors do not give waves, by address.
    var refusals: [String: [String]] {
        var refusals: [String: [String]] = [:]
        for kind in WaveKind.allCases {
            for (stream, wave) in waves where stream.kind == kind {
                guard case .refused(let reason) = wave.state else { continue }
                refusals[stream.address, default: []].append("\(kind.traits.title): \(sanitized(reason, limit: 200))")
            }
        }
        return refusals
    }

    /// Prepares what ``draw(_:screen:state:on:now:)`` draws: the heights of each sweep.
    mutating func advance(to now: Moment, _ traces: [WaveTrace]) {
        for trace in traces {
            guard let pen = trace.pen(of: self, at: now) else { continue }
            if frozen != nil {
                frozen?.waves[trace.stream]?.advance(to: pen, trace.sweep)
            } else {
                waves[trace.stream]?.advance(to: pen, trace.sweep)
            }
        }
    }
}

/// A wave beside a large vital.
public struct WaveStrip: Hashable, Sendable {
    let stream: WaveStream
    let phase: Phase

    /// What is to be seen of it.
    enum Phase: Hashable, Sendable {
        /// The wave itself.
        case drawn
        /// Nothing yet: it was asked for at that time.
        case wanted(since: Moment)
        /// Nothing yet: its first samples wait for the pen.
        case coming
        /// Nothing: since that time nothing has come.
        case stopped(since: Moment)
        /// Nothing: the sensor says that there is nothing to measure, or has ended it.
        case absent
        /// Nothing: the number beside it is not live.
        case empty
        /// Nothing: the sensor does not give it.
        case refused

        init(_ wave: SweptWave, isMeasured: Bool, at now: Moment) {
            switch wave.state {
            case .refused: self = .refused
            case _ where !isMeasured: self = .empty
            case .wanted: self = .wanted(since: wave.since)
            case .streaming:
                let last = wave.arrived ?? wave.since
                self = now.since(last) < SweptWave.longestSilence ? .coming : .stopped(since: last)
            case .off, .ended: self = .absent
            }
        }
    }

    var kind: WaveKind { stream.kind }

    /// Why there is no wave, beside its number; empty where nothing is to be said.
    func words(_ time: TimeText, ellipsis: String) -> String {
        let name = kind.traits.title
        return switch phase {
        case .wanted(let since): "\(name) wanted \(ellipsis) \(time.distance(to: since))"
        case .coming: "\(name) \(ellipsis)"
        case .stopped(let since): "no \(name) for \(time.distance(to: since))"
        case .absent: "no \(name)"
        case .drawn, .empty, .refused: ""
        }
    }

    /// Since when something has been missing whose duration is shown; `nil` for nothing.
    var shownSince: Moment? {
        switch phase {
        case .wanted(let since), .stopped(let since): since
        default: nil
        }
    }

    /// Whether the sensor gives the wave, now or again.
    var isGiven: Bool { phase != .refused }
}

extension WaveSweeps {
    /// Draws the waves over a frame, in the strips that it has left empty for them.
    ///
    /// It may be drawn over the same grid again as time passes: only strips are touched.
    ///
    /// - Parameters:
    ///   - screen: The view, prepared for the same state, size and moment.
    ///   - state: The monitor's state.
    ///   - grid: The frame.
    ///   - now: The moment of drawing.
    /// - Returns: When to draw again although nothing else happens; `nil` for never.
    @discardableResult
    public mutating func draw(
        _ screen: ScreenState, in state: MonitorState, on grid: inout Grid, at now: Moment
    ) -> NextWaveFrame? {
        let traces = screen.traces(in: state, size: (grid.columns, grid.rows))
        advance(to: now, traces)
        for trace in traces { trace.draw(self, on: &grid, at: now) }
        let isComing = screen.waves.strips.values.contains { $0.phase == .coming }
        return nextFrame(traces, isComing: isComing, state, at: now)
    }

    /// What the screen waits for.
    private func nextFrame(
        _ traces: [WaveTrace], isComing: Bool, _ state: MonitorState, at now: Moment
    ) -> NextWaveFrame? {
        guard frozen == nil else { return nil }
        let isMotionReduced = state.settings.alarmSignals.isMotionReduced
        var ends: Moment?
        for trace in traces {
            guard let wave = waves[trace.stream] else { continue }
            let pen = trace.pen(of: self, at: now)
            let later = trace.pen(of: self, at: now.advanced(by: .seconds(1)))
            if pen != later { return .soon }
            if let end = wave.end(at: now, isMotionReduced: isMotionReduced) { ends = min(ends ?? end, end) }
        }
        if isComing { return .soon }
        return ends.map { .at($0) }
    }
}

/// When waves are drawn again.
public enum NextWaveFrame: Hashable, Sendable {
    /// A pen moves: with the next frame.
    case soon
    /// All pens stand still; a wave is no longer live at this moment, if nothing comes.
    case at(Moment)
}
