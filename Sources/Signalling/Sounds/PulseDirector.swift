import Monitoring
import Vitals
import Waves

/// Decides when the pulse tone sounds: for each beat that is marked in a wave or of a sensor that sends RR intervals,
/// otherwise once for each measured pulse value, and never without one, nor during a planned silence.
///
/// Most sensors send a rate, not beats; a tone for each beat would be invented. A sensor with RR intervals sends each
/// beat, in portions of about a second: the tones have the intervals of the beats, and all are late by ``delay``. Where
/// somebody reads a wave of the same sensor, its marks come earlier, and the tone sounds where the pen is. The tone's pitch encodes the saturation, so both values must be live: measured now, of good quality, and received when
/// they were sent.
package struct PulseDirector: Sendable {
    /// The delay of a beat's tone: longer than a sensor collects beats and the radio repeats a packet.
    package static let delay = Duration.milliseconds(2500)
    /// How long after RR intervals no tone sounds for a value of the same sensor, because it describes the same beats.
    private static let beatsHold = Duration.seconds(5)
    /// The delay of the tone of a beat in a wave: that with which waves are drawn.
    package static let waveDelay = WaveBlock.drawingDelay

    /// Whether both values were live.
    private var wasLive = false
    /// The sensor that sent the last RR intervals, and their time.
    private var beats: (address: String, moment: Moment)?
    /// The sensor whose wave had the last mark, and its time.
    private var marks: (address: String, moment: Moment)?
    /// The newest beat that has a tone.
    private var lastBeat = MonotonicTime.distantPast

    /// Creates a director that has ordered nothing.
    package init() {}

    /// The orders after an input.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - state: The state after the input.
    package mutating func orders(after input: MonitorInput, in state: borrowing MonitorState) -> [SoundOrder] {
        guard !state.isSilentAsPlanned, let saturation = Self.liveSample(.oxygenSaturation, state),
            let rate = Self.liveSample(.heartRate, state) ?? Self.liveSample(.pulseRate, state)
        else {
            defer { wasLive = false }
            return wasLive ? [.stopPulse] : []
        }
        wasLive = true
        guard case .event(let event) = input else { return [] }
        let tone = PulseTone(saturation: saturation.value)
        switch event.kind {
        case .rrIntervals(let intervals):
            guard rate.vital == .heartRate, intervals.sensor.address == rate.sensor.address,
                !Self.holds(marks, rate.sensor, at: event.moment)
            else { return [] }
            beats = (rate.sensor.address, event.moment)
            return beatOrders(of: intervals, tone, at: event.moment, in: state)
        case .reading(let reading):
            guard reading.vital == rate.vital, reading.late == nil, case .measured(_, .good) = reading.outcome,
                reading.sensor.address == rate.sensor.address, !Self.holds(beats, rate.sensor, at: event.moment),
                !Self.holds(marks, rate.sensor, at: event.moment)
            else { return [] }
            return [.play(.pulse(tone))]
        default: return []
        }
    }

    /// The orders for beats of a notification that have no tone yet and are not too old for one.
    private mutating func beatOrders(
        of intervals: RRIntervals, _ tone: PulseTone, at now: Moment, in state: borrowing MonitorState
    ) -> [SoundOrder] {
        guard let placed = state.sensor(address: intervals.sensor.address)?.rhythm.beats else { return [] }
        var orders: [SoundOrder] = []
        for beat in placed.suffix(intervals.intervals.count) where beat.time > lastBeat {
            lastBeat = beat.time
            let wait = beat.time.advanced(by: Self.delay).nanoseconds(since: now.monotonic)
            if wait >= 0 { orders.append(.playLater(tone, milliseconds: Int(wait / 1_000_000))) }
        }
        return orders
    }

    /// The orders for the beats that are marked in a wave and not too old for a tone.
    ///
    /// - Parameters:
    ///   - block: The newest samples of a wave.
    ///   - now: The present moment.
    ///   - state: The present state.
    package mutating func orders(
        for block: WaveBlock, at now: Moment, in state: borrowing MonitorState
    ) -> [SoundOrder] {
        guard !block.beats.isEmpty, !state.isSilentAsPlanned,
            let saturation = Self.liveSample(.oxygenSaturation, state),
            let rate = Self.liveSample(.heartRate, state) ?? Self.liveSample(.pulseRate, state),
            rate.sensor.address == block.sensor.address, block.kind.traits.vitals.contains(rate.vital)
        else { return [] }
        // The tones that wait may be of the same beats.
        var orders: [SoundOrder] = Self.holds(marks, rate.sensor, at: now) ? [] : [.stopPulse]
        marks = (rate.sensor.address, now)
        for beat in block.beats {
            let time = block.time(of: beat)
            guard time > lastBeat else { continue }
            lastBeat = time
            let wait = time.advanced(by: Self.waveDelay).nanoseconds(since: now.monotonic)
            guard wait >= 0 else { continue }
            orders.append(
                .playLater(PulseTone(saturation: saturation.value), milliseconds: Int(wait / 1_000_000)))
        }
        return orders
    }

    private static func holds(_ last: (address: String, moment: Moment)?, _ sensor: SensorIdentity, at now: Moment)
        -> Bool
    {
        guard let last else { return false }
        return last.address == sensor.address && now.since(last.moment) < beatsHold
    }

    private static func liveSample(
        _ vital: Vital, _ state: borrowing MonitorState
    ) -> (vital: Vital, sensor: SensorIdentity, value: VitalValue)? {
        guard let shown = state.vitals.first(where: { $0.vital == vital }), let source = shown.source,
            case .measured(let sample) = shown.condition, sample.quality == .good
        else { return nil }
        return (vital, source, sample.value)
    }
}

/// The tone of a measured pulse, whose pitch encodes the oxygen saturation.
///
/// The pitch falls by a semitone for each percent, from A5 at 100 %: listeners distinguish more steps of a logarithmic
/// scale than of a linear one. Below 97 % the tone has a tremolo, and below 90 % it is also harsh, so that the range is
/// audible without comparing pitches (Paterson et al. 2016).
package struct PulseTone: Hashable, Sendable {
    /// The saturation below which there is a tremolo.
    package static let tremoloLimit = VitalValue(whole: 97)
    /// The saturation below which the tone is harsh.
    package static let brightLimit = VitalValue(whole: 90)
    /// The lowest saturation with its own pitch, close to the lowest for which sensors state an accuracy.
    package static let lowest = VitalValue(whole: 70)

    /// The oxygen saturation.
    package var saturation: VitalValue

    /// Creates the tone for a saturation.
    package init(saturation: VitalValue) {
        self.saturation = saturation
    }

    private static let highest = VitalValue(whole: 100)
    private static let length = 160
    private static let ramp = 24
    private static let tremolo = 25.0

    /// The tone itself.
    package var tone: Tone {
        let shown = min(max(saturation, Self.lowest), Self.highest)
        let percentBelow = Double(Self.highest.hundredths - shown.hundredths) / 100
        return Tone(
            frequency: Pitch.frequency(semitonesAboveA4: 12 - percentBelow),
            length: Tone.samples(milliseconds: Self.length), ramp: Tone.samples(milliseconds: Self.ramp),
            timbre: saturation < Self.brightLimit ? .bright : .soft,
            tremolo: saturation < Self.tremoloLimit ? Self.tremolo : 0)
    }
}
