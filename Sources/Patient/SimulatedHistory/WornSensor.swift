import Base
import Vitals

/// Something that happens in an invented past.
struct PastStep {
    enum Action {
        case connected(SensorIdentity)
        /// The user disconnected a sensor.
        case disconnected(SensorIdentity)
        case linkLost(SensorIdentity)
        case measured(SensorIdentity, Vital, VitalValue, site: BodySite?)
        case missing(SensorIdentity, Vital, AbsenceReason)
        case entered(RecordEntry.Content)
    }

    /// The wall time, in milliseconds since 1970 (UTC).
    var wall: Int64
    var action: Action
}

/// A sensor of an invented past, and when it was worn.
struct WornSensor {
    private let identity: SensorIdentity
    private let vitals: [Vital]
    private let site: BodySite?
    /// The wall times in which it was connected, disjoint and in order.
    private let worn: [Range<Int64>]
    /// The times without a measurement, and the reasons.
    private let troubles: [(times: Range<Int64>, reason: AbsenceReason)]
    /// When its values come, in milliseconds after a whole spacing.
    private let phase: Int64

    /// The times between two values, in milliseconds, for values up to so old: what trends show as finely.
    private static let spacings: [(spacing: Int64, age: Int64)] = [
        (2000, 15 * PastCalendar.minute), (10_000, 3 * PastCalendar.hour),
    ]
    /// The same for older values: dense enough for the figures of days, and written in a moment.
    private static let usualSpacing: Int64 = 30_000

    /// The connection, the values and the end of each time in which it was worn.
    func steps(in run: Range<Int64>, _ calendar: PastCalendar, _ course: PatientCourse) -> [PastStep] {
        var steps: [PastStep] = []
        for times in worn.map({ $0.clamped(to: run) }) where !times.isEmpty {
            steps.append(PastStep(wall: times.lowerBound, action: .connected(identity)))
            // The first value comes a little after the link.
            var wall = times.lowerBound + 4000
            var lost: Int?
            while wall < times.upperBound {
                let trouble = troubles.firstIndex { $0.times.contains(wall) }
                switch trouble {
                case let trouble? where troubles[trouble].reason == .linkLost:
                    if lost == nil { steps.append(PastStep(wall: wall, action: .linkLost(identity))) }
                    lost = trouble
                case let trouble?:
                    steps += vitals.map {
                        PastStep(wall: wall, action: .missing(identity, $0, troubles[trouble].reason))
                    }
                case nil:
                    if lost != nil { steps.append(PastStep(wall: wall, action: .connected(identity))) }
                    lost = nil
                    for vital in vitals {
                        guard let value = course.value(of: vital, at: wall) else { continue }
                        steps.append(PastStep(wall: wall, action: .measured(identity, vital, value, site: site)))
                    }
                }
                wall = next(after: wall, calendar)
            }
            // At the end of a run nobody disconnects anything.
            if times.upperBound < run.upperBound {
                steps.append(PastStep(wall: times.upperBound, action: .disconnected(identity)))
            }
        }
        return steps
    }

    /// When the next value comes: at fixed times, so that a later end of the past changes no earlier value.
    private func next(after wall: Int64, _ calendar: PastCalendar) -> Int64 {
        let age = calendar.end - wall
        let spacing = Self.spacings.first { age <= $0.age }?.spacing ?? Self.usualSpacing
        let phase = phase % spacing
        return ((wall - phase) / spacing + 1) * spacing + phase
    }
}

extension WornSensor {
    /// The sensors with their times; they were taken off at slightly different times each day.
    static func all(_ sensors: SimulatedPast.Sensors, _ calendar: PastCalendar, _ noise: Noise) -> [WornSensor] {
        func wall(_ day: Int, _ hour: Double, _ stream: Int) -> Int64 {
            calendar.wall(day, hour + 0.3 * noise.stream(stream).value(at: day))
        }
        let days = calendar.midnights.indices
        // All are on for the longest time that trends take without a choice, so that those are full.
        let last = (calendar.end - 9 * PastCalendar.hour)..<calendar.end
        func nights(_ stream: Int, from evening: Double, to morning: Double) -> [Range<Int64>] {
            // On the day of the fever everything was put on at once.
            days.map { wall($0, $0 == 5 ? 17.3 : evening, stream)..<wall($0, 24 + morning, stream + 1) } + [last]
        }
        func trouble(_ day: Int, _ hours: Range<Double>, _ reason: AbsenceReason) -> (Range<Int64>, AbsenceReason) {
            (calendar.wall(day, hours.lowerBound)..<calendar.wall(day, hours.upperBound), reason)
        }
        // Off for the shower, and one afternoon in its charger.
        let warm = days.map { wall($0, $0 == 3 ? 19.5 : 7.9, 1)..<wall($0, $0 == 2 ? 38 : 31.1, 2) } + [last]
        let found: [WornSensor?] = [
            sensors.thermometer.map {
                WornSensor(
                    identity: $0, vitals: [.bodyTemperature], site: $0.kind == .core ? .core : nil,
                    worn: joined(warm, until: calendar.end), troubles: [], phase: 7300)
            },
            sensors.strap.map {
                WornSensor(
                    identity: $0, vitals: [.heartRate], site: .chest,
                    worn: joined(nights(3, from: 21.5, to: 7), until: calendar.end),
                    troubles: [trouble(4, 2.3..<2.5, .noContact)], phase: 21_100)
            },
            sensors.oximeter.map {
                WornSensor(
                    identity: $0, vitals: [.oxygenSaturation, .pulseRate], site: .finger,
                    worn: joined(nights(5, from: 22, to: 6.5), until: calendar.end),
                    troubles: [trouble(2, 3.1..<3.2, .offBody), trouble(9, 3..<3.25, .linkLost)], phase: 40_700)
            },
        ]
        return found.compactMap(\.self)
    }

    /// Times as disjoint ranges in order, up to an end.
    private static func joined(_ times: [Range<Int64>], until end: Int64) -> [Range<Int64>] {
        var joined: [Range<Int64>] = []
        for range in times.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound < end {
            let range = range.lowerBound..<min(range.upperBound, end)
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
