import Glibc
import Monitoring
import Vitals

// What one reading costs in the reducer with its alarm engine. One line for each setting, as bench_events.py reads it:
// number of sensors, history, nanoseconds of processor time.

func processorNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Sensors that send a value a second each, one after another.
struct Ward {
    private var state: MonitorState
    private let sensors: [SensorIdentity]
    private var count = 0
    /// How many alarms have been raised, so that nobody measures a ward in which nothing happens.
    private(set) var raised = 0

    init(sensors: Int) {
        self.sensors = (0..<sensors).map { number in
            let digits = String(number + 256, radix: 16).dropFirst()
            return SensorIdentity(
                address: "C0:00:5E:00:53:\(digits)", name: "Strap \(number)", kind: .heartRateStrap)
        }
        state = MonitorState(start: Self.moment(0))
        for sensor in self.sensors {
            apply(.connection(sensor, ConnectionState(phase: .ready)))
        }
    }

    private static func moment(_ nanoseconds: Int64) -> Moment {
        Moment(
            monotonicNanoseconds: 1_000_000_000_000 + nanoseconds,
            wallMilliseconds: 1_772_373_000_000 + nanoseconds / 1_000_000)
    }

    private mutating func apply(_ kind: MonitorEvent.Kind, at nanoseconds: Int64 = 0) {
        for effect in state.apply(MonitorEvent(moment: Self.moment(nanoseconds), kind: kind)) {
            if case .alarm(let alarm, _) = effect, alarm.state == .active { raised += 1 }
        }
    }

    /// Brings one reading.
    ///
    /// In every five minutes of a sensor the rate is too high for a while, and the alarm begins and ends.
    mutating func step() {
        let second = count / sensors.count
        let isHigh = (100..<110).contains(second % 300)
        let rate = (isHigh ? 125 : 70) + second % 5
        let reading = Reading(
            sensor: sensors[count % sensors.count], vital: .heartRate,
            outcome: .measured(VitalValue(whole: rate), .good), moment: Self.moment(time))
        apply(.reading(reading), at: time)
        count += 1
    }

    private var time: Int64 { Int64(count) * 1_000_000_000 / Int64(sensors.count) }
}

let events = 60_000
for sensors in [1, 64] {
    for history in ["empty", "full"] {
        var ward = Ward(sensors: sensors)
        // A day, which is more than any trend keeps in full.
        if history == "full" { for _ in 0..<86_400 * sensors { ward.step() } }
        var best = Double.infinity
        for _ in 0..<3 {
            // Nothing has happened yet, or all that is kept has.
            if history == "empty" { ward = Ward(sensors: sensors) }
            let (before, start) = (ward.raised, processorNanoseconds())
            for _ in 0..<events { ward.step() }
            best = min(best, Double(processorNanoseconds() - start) / Double(events))
            guard ward.raised > before else { fatalError("no alarm was raised") }
        }
        print(sensors, history, best)
    }
}
