import Monitoring
import Testing
import Vitals

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
}
