import Base
import Monitoring
import Vitals

/// An invented past for a trial: two weeks of a patient after chemotherapy, as a monitor would have recorded them.
///
/// It has fevers with too few neutrophils, nights with all sensors, hours without any, and what was typed meanwhile. The
/// alarms are those that a monitor with the usual settings raises for these values. The same days and the same seed give
/// the same readings at any time of the last day, except in the hours before it.
public struct SimulatedPast: Sendable {
    /// The sensors that were worn.
    public struct Sensors: Hashable, Sendable {
        public var thermometer, strap, oximeter: SensorIdentity?

        public init(thermometer: SensorIdentity?, strap: SensorIdentity?, oximeter: SensorIdentity?) {
            (self.thermometer, self.strap, self.oximeter) = (thermometer, strap, oximeter)
        }
    }

    /// The number of local days: two weeks, and today.
    public static let dayCount = 15
    /// How long before the start of the trial it ends, in milliseconds: an honest gap is between the two.
    public static let pause: Int64 = 180_000

    let calendar: PastCalendar
    let sensors: Sensors
    let seed: UInt64

    /// Describes a past.
    ///
    /// - Parameters:
    ///   - days: The last ``dayCount`` local days, each as wall times in milliseconds since 1970 (UTC), the last one today.
    ///   - now: The start of the trial, as a wall time.
    ///   - sensors: The sensors that were worn; without one, its vitals are missing.
    ///   - seed: The number of the noise.
    public init(days: [Range<Int64>], until now: Int64, sensors: Sensors, seed: UInt64 = 1) {
        calendar = PastCalendar(midnights: days.map(\.lowerBound), end: now.subtractingSaturated(Self.pause))
        (self.sensors, self.seed) = (sensors, seed)
    }

    /// The runs of the monitor, the oldest first; none without days.
    public func runs() -> [RecordedRun] {
        guard calendar.midnights.count == Self.dayCount else { return [] }
        var runs: [RecordedRun] = []
        var entries: [RecordEntry] = []
        for range in calendar.runs {
            var monitor = PastMonitor(start: range.lowerBound, after: runs.last, entries: entries)
            for step in steps(in: range) { monitor.apply(step.action, at: step.wall) }
            let run = monitor.end(at: range.upperBound)
            for case .entry(let entry, _) in run.contents { entries.append(entry) }
            runs.append(run)
        }
        return runs
    }

    /// What happens in a run, in the order of time.
    private func steps(in run: Range<Int64>) -> [PastStep] {
        let course = PatientCourse(calendar, Noise(seed: seed))
        var steps = PastStory.entries(calendar, in: run)
        for sensor in WornSensor.all(sensors, calendar, Noise(seed: seed).stream(9)) {
            steps += sensor.steps(in: run, calendar, course)
        }
        // A stable order, because several may have the same time.
        return steps.enumerated().sorted { ($0.element.wall, $0.offset) < ($1.element.wall, $1.offset) }.map(\.element)
    }
}

/// The days of an invented past.
struct PastCalendar: Sendable {
    /// The local midnights with which the days begin, as wall times in milliseconds since 1970 (UTC).
    let midnights: [Int64]
    /// The end, as a wall time.
    let end: Int64

    static let hour: Int64 = 3_600_000
    static let minute: Int64 = 60_000

    /// The wall time of an hour of a day; hours may be fractions, and more than 24.
    func wall(_ day: Int, _ hour: Double) -> Int64 { midnights[day] + Int64((hour * 3600).rounded()) * 1000 }

    /// The hours from the first midnight to a wall time.
    func hours(until wall: Int64) -> Double { Double(wall - midnights[0]) / Double(Self.hour) }

    /// The hours of local time of a wall time, from 0 to 24; to the hour of a change of the clocks.
    func hourOfDay(of wall: Int64) -> Double {
        let hours = hours(until: wall)
        return hours - 24 * (hours / 24).rounded(.down)
    }

    /// The runs of the program: somebody restarted the computer one morning.
    var runs: [Range<Int64>] {
        let restart = wall(8, 11)
        return [wall(0, 9)..<restart, (restart + 12 * Self.minute)..<end]
    }
}
