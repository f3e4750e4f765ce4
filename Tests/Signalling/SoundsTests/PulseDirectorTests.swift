import Monitoring
import Testing
import Vitals
import Waves

@testable import Sounds

@Suite("When the tone of a pulse sounds")
struct PulseDirectorTests {
    private struct Room {
        var state = MonitorState(settings: MonitorSettings(), start: Self.moment(0))
        var director = PulseDirector()

        static func moment(_ seconds: Double) -> Moment {
            Moment(
                monotonicNanoseconds: 5_000_000_000_000 + Int64(seconds * 1e9),
                wallMilliseconds: 1_750_000_000_000 + Int64(seconds * 1e3))
        }

        mutating func receive(_ kind: MonitorEvent.Kind, at seconds: Double) -> [SoundOrder] {
            let input = MonitorInput.event(MonitorEvent(moment: Self.moment(seconds), kind: kind))
            _ = state.apply(input)
            return director.orders(after: input, in: state)
        }

        mutating func measure(
            _ vital: Vital, _ value: Int, _ quality: Reading.Quality = .good, late: LateInterval? = nil,
            from sensor: SensorIdentity = Self.oximeter, at seconds: Double
        ) -> [SoundOrder] {
            var reading = Reading(
                sensor: sensor, vital: vital, outcome: .measured(VitalValue(whole: value), quality),
                moment: Self.moment(seconds))
            reading.late = late
            return receive(.reading(reading), at: seconds)
        }

        static let oximeter = SensorIdentity(address: "AA:00:00:00:00:02", name: "oximeter", kind: .oximeter)
        static let strap = SensorIdentity(address: "AA:00:00:00:00:01", name: "strap", kind: .heartRateStrap)
    }

    private func tone(_ saturation: Int) -> [SoundOrder] {
        [.play(.pulse(PulseTone(saturation: VitalValue(whole: saturation))))]
    }

    @Test("once for each pulse value, with the newest saturation, and never in between")
    func values() {
        var room = Room()
        #expect(room.measure(.pulseRate, 70, at: 0).isEmpty)
        #expect(room.measure(.oxygenSaturation, 97, at: 0).isEmpty)
        #expect(room.measure(.pulseRate, 70, at: 1) == tone(97))
        #expect(room.receive(.tick, at: 1.5).isEmpty)
        #expect(room.measure(.oxygenSaturation, 91, at: 2).isEmpty)
        #expect(room.measure(.pulseRate, 71, at: 2) == tone(91))
    }

    @Test("of the heart rate where there is one, so that two sensors do not double it")
    func oneSource() {
        var room = Room()
        _ = room.measure(.oxygenSaturation, 97, at: 0)
        _ = room.measure(.pulseRate, 70, at: 0)
        #expect(room.measure(.heartRate, 70, from: Room.strap, at: 0.5) == tone(97))
        #expect(room.measure(.pulseRate, 70, at: 1).isEmpty)
    }

    @Test("no more as soon as a value is not live: off the body, of doubtful quality, or silent for too long")
    func notLive() {
        var room = Room()
        _ = room.measure(.oxygenSaturation, 97, at: 0)
        #expect(room.measure(.pulseRate, 70, at: 0) == tone(97))
        let off = Reading(
            sensor: Room.oximeter, vital: .oxygenSaturation, outcome: .noMeasurement(.offBody), moment: Room.moment(1))
        #expect(room.receive(.reading(off), at: 1) == [.stopPulse])
        #expect(room.measure(.pulseRate, 70, at: 1).isEmpty)
        #expect(room.measure(.oxygenSaturation, 97, .questionable, at: 2).isEmpty)
        #expect(room.measure(.pulseRate, 70, at: 2).isEmpty)
        _ = room.measure(.oxygenSaturation, 97, at: 3)
        #expect(room.measure(.pulseRate, 70, at: 3) == tone(97))
        #expect(room.receive(.tick, at: 60) == [.stopPulse])
        #expect(room.receive(.tick, at: 61).isEmpty)
    }

    /// Milliseconds from the beginning at which tones sound.
    private func times(_ orders: [SoundOrder], at seconds: Double) -> [Int] {
        orders.compactMap { order in
            if case .playLater(_, let milliseconds) = order { Int(seconds * 1000) + milliseconds } else { nil }
        }
    }

    @Test("for each beat where the strap sends RR intervals: at the distances of the beats, and late by as much")
    func beats() {
        var room = Room()
        _ = room.measure(.oxygenSaturation, 93, at: 0)
        _ = room.measure(.heartRate, 60, from: Room.strap, at: 0)
        var heard: [Int] = []
        // Beats at intervals of 1000, 500 and 1500 ms, which come in portions as a strap sends them.
        for (seconds, intervals) in [(1.0, [1024]), (2.0, [512, 512]), (3.0, []), (3.5, [1536]), (4.5, [1024])]
            as [(Double, [UInt16])]
        {
            _ = room.measure(.oxygenSaturation, 93, at: seconds)
            let value = room.measure(.heartRate, 60, from: Room.strap, at: seconds)
            #expect(value.isEmpty || seconds == 1, "a value has no tone beside its beats")
            let orders = room.receive(
                .rrIntervals(
                    RRIntervals(
                        sensor: Room.strap, intervals: intervals, heartRate: 60, moment: Room.moment(seconds))),
                at: seconds)
            heard += times(orders, at: seconds)
            #expect(orders.count == intervals.count)
        }
        #expect(zip(heard, heard.dropFirst()).map { $1 - $0 }.allSatisfy { $0 >= 450 })
        let distances = zip(heard, heard.dropFirst()).map { $1 - $0 }
        for (distance, expected) in zip(distances, [500, 500, 1500, 1000]) { #expect(abs(distance - expected) <= 5) }
        #expect(heard.first.map { (3495...3505).contains($0) } == true, "2.5 s after the beat")
    }

    /// A second of an electrocardiogram that ends at a time, with beats at some of its 100 samples.
    private func wave(_ beats: [Int], from sensor: SensorIdentity = Room.strap, until seconds: Double) -> WaveBlock {
        WaveBlock(
            sensor: sensor, kind: .electrocardiogram, samples: [Int32](repeating: 0, count: 100), beats: beats,
            start: Room.moment(seconds - 1).monotonic, interval: 1e7, arrived: Room.moment(seconds))
    }

    @Test(
        "for each beat that is marked in the wave of the strap, where the pen is, and then for no interval and no value"
    )
    func marks() {
        var room = Room()
        _ = room.measure(.oxygenSaturation, 93, at: 0)
        _ = room.measure(.heartRate, 60, from: Room.strap, at: 0)
        func hear(_ block: WaveBlock, at seconds: Double) -> [Int] {
            times(room.director.orders(for: block, at: Room.moment(seconds), in: room.state), at: seconds)
        }
        let first = room.director.orders(for: wave([20, 95], until: 1), at: Room.moment(1), in: room.state)
        #expect(first.first == .stopPulse, "the tones that wait may be of the same beats")
        #expect(times(first, at: 1) == [1700, 2450])
        #expect(hear(wave([-5, 70], until: 2), at: 2) == [3200], "the first one has a tone already")
        #expect(room.measure(.heartRate, 61, from: Room.strap, at: 2).isEmpty)
        let intervals = RRIntervals(sensor: Room.strap, intervals: [1024], heartRate: 60, moment: Room.moment(2))
        #expect(room.receive(.rrIntervals(intervals), at: 2).isEmpty)
        #expect(hear(wave([40], until: 3), at: 6).isEmpty, "too old")
        // No more marks: values as before, after a while.
        _ = room.measure(.oxygenSaturation, 93, at: 10)
        #expect(room.measure(.heartRate, 61, from: Room.strap, at: 10).isEmpty)
        _ = room.measure(.oxygenSaturation, 93, at: 12)
        #expect(room.measure(.heartRate, 61, from: Room.strap, at: 12) == tone(93))
    }

    @Test("for no mark of a wave whose number is not shown, or not live")
    func foreignMarks() {
        var room = Room()
        func orders(_ block: WaveBlock, at seconds: Double) -> [SoundOrder] {
            room.director.orders(for: block, at: Room.moment(seconds), in: room.state)
        }
        _ = room.measure(.heartRate, 60, from: Room.strap, at: 0)
        #expect(orders(wave([20], until: 1), at: 1).isEmpty, "no saturation is measured")
        _ = room.measure(.oxygenSaturation, 93, at: 1)
        let other = SensorIdentity(address: "AA:00:00:00:00:09", name: "other", kind: .heartRateStrap)
        #expect(orders(wave([20], from: other, until: 1), at: 1).isEmpty)
        #expect(orders(wave([20], from: Room.oximeter, until: 1), at: 1).isEmpty)
        _ = room.receive(.tick, at: 60)
        #expect(orders(wave([20], until: 60), at: 60).isEmpty)
    }

    @Test("never for a beat twice, nor for beats of a strap that is not shown or not live")
    func noBeats() {
        var room = Room()
        _ = room.measure(.heartRate, 60, from: Room.strap, at: 0)
        func intervals(_ sensor: SensorIdentity, at seconds: Double) -> [SoundOrder] {
            room.receive(
                .rrIntervals(
                    RRIntervals(sensor: sensor, intervals: [1024], heartRate: 60, moment: Room.moment(seconds))),
                at: seconds)
        }
        #expect(intervals(Room.strap, at: 1).isEmpty, "no saturation is measured")
        _ = room.measure(.oxygenSaturation, 93, at: 2)
        _ = room.measure(.heartRate, 60, from: Room.strap, at: 2)
        #expect(intervals(Room.strap, at: 2).count == 1)
        #expect(intervals(Room.strap, at: 2).isEmpty, "the same beat again")
        let other = SensorIdentity(address: "AA:00:00:00:00:09", name: "other", kind: .heartRateStrap)
        _ = room.measure(.heartRate, 90, from: other, at: 2.5)
        #expect(intervals(other, at: 2.5).isEmpty, "its heart rate is not the one that is shown")
        let off = Reading(
            sensor: Room.strap, vital: .heartRate, outcome: .noMeasurement(.offBody), moment: Room.moment(3))
        _ = room.receive(.reading(off), at: 3)
        #expect(intervals(Room.strap, at: 3).isEmpty)
    }

    @Test("for each value again when RR intervals no longer come")
    func valuesAgain() {
        var room = Room()
        _ = room.measure(.oxygenSaturation, 97, at: 0)
        _ = room.measure(.heartRate, 60, from: Room.strap, at: 0)
        _ = room.receive(
            .rrIntervals(
                RRIntervals(sensor: Room.strap, intervals: [1024], heartRate: 60, moment: Room.moment(0))), at: 0)
        for seconds in 1..<5 {
            _ = room.measure(.oxygenSaturation, 97, at: Double(seconds))
            #expect(room.measure(.heartRate, 60, from: Room.strap, at: Double(seconds)).isEmpty)
        }
        _ = room.measure(.oxygenSaturation, 97, at: 5)
        #expect(room.measure(.heartRate, 60, from: Room.strap, at: 5) == tone(97))
    }
}

@Suite("The tone of a pulse")
struct PulseToneTests {
    private func tone(_ percent: Int) -> Tone { PulseTone(saturation: VitalValue(whole: percent)).tone }

    @Test("the pitch falls by the same ratio with each percent, and stays within the range of alarms")
    func pitch() {
        for percent in 71...100 {
            #expect(abs(tone(percent).frequency / tone(percent - 1).frequency - 1.059_463) < 1e-5)
        }
        #expect(abs(tone(100).frequency - 880) < 1e-6)
        #expect(tone(70).frequency > 150)
        #expect(tone(40) == tone(70))
        let between = PulseTone(saturation: VitalValue(hundredths: 9750)).tone.frequency
        #expect(tone(97).frequency < between && between < tone(98).frequency)
    }

    @Test("there is a tremolo below 97 percent, and the tone is harsh below 90")
    func ranges() {
        #expect(tone(97).tremolo == 0)
        #expect(tone(96).tremolo > 0)
        #expect(tone(90).timbre == .soft)
        #expect(tone(89).timbre == .bright)
        #expect(tone(89).tremolo > 0)
    }

    @Test("it is softer than an alarm, and over before the next beat of the fastest measurable heart")
    func soft() throws {
        let samples = Sound.pulse(PulseTone(saturation: VitalValue(whole: 98))).samples()
        let alarm = Sound.alarm(AlarmSound(.low, .general)).samples()
        #expect(try #require(samples.max()) < #require(alarm.max()))
        #expect(samples.count < Tone.rate * 60 / 300)
    }
}
