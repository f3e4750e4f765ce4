import Base
import Vitals

/// The patient's vitals over the two weeks: the rhythm of the day, the fevers, and noise.
struct PatientCourse {
    private let calendar: PastCalendar
    private let noise: Noise

    init(_ calendar: PastCalendar, _ noise: Noise) {
        (self.calendar, self.noise) = (calendar, noise)
    }

    /// A vital's value at a wall time, as a sensor sends it; `nil` for a vital that nothing measured.
    func value(of vital: Vital, at wall: Int64) -> VitalValue? {
        switch vital {
        case .bodyTemperature: VitalValue(hundredths: Int((temperature(at: wall) * 100).rounded()))
        case .heartRate: VitalValue(whole: Int(rate(at: wall).rounded()))
        case .pulseRate:
            VitalValue(whole: Int((rate(at: wall) + 0.8 * noise.stream(1).value(at: second(wall))).rounded()))
        case .oxygenSaturation: VitalValue(whole: min(100, Int(saturation(at: wall).rounded())))
        default: nil
        }
    }

    private func temperature(at wall: Int64) -> Double {
        let usual = 36.7 + Self.dailyTemperature.value(at: calendar.hourOfDay(of: wall))
        return joined(usual + fever(at: wall), to: 36.8, at: wall) + 0.06 * slow(2, wall, minutes: 25)
            + 0.012 * noise.stream(3).value(at: second(wall))
    }

    private func rate(at wall: Int64) -> Double {
        let value =
            Self.dailyRate.value(at: calendar.hourOfDay(of: wall)) + 9 * fever(at: wall)
            + Self.chill.value(at: calendar.hours(until: wall))
        return joined(value, to: 72, at: wall) + 2 * slow(4, wall, minutes: 9)
            + 3.2 * noise.stream(5).value(at: second(wall))
    }

    private func saturation(at wall: Int64) -> Double {
        let value =
            Self.dailySaturation.value(at: calendar.hourOfDay(of: wall)) - 0.6 * fever(at: wall)
            + Self.apnoea.value(at: calendar.hours(until: wall))
        return joined(value, to: 97.6, at: wall) + 0.6 * slow(6, wall, minutes: 7)
            + 0.3 * noise.stream(7).value(at: second(wall))
    }

    /// How much warmer the fever makes the patient, in °C.
    private func fever(at wall: Int64) -> Double { Self.fever.value(at: calendar.hours(until: wall)) }

    /// Approaches the value with which the trial begins, in the last three hours.
    private func joined(_ value: Double, to first: Double, at wall: Int64) -> Double {
        let left = Double(calendar.end - wall) / Double(3 * PastCalendar.hour)
        return left >= 1 ? value : first + (value - first) * max(0, left)
    }

    private func second(_ wall: Int64) -> Int { Int(wall / 1000) }

    /// Noise that changes within so many minutes.
    private func slow(_ stream: Int, _ wall: Int64, minutes: Int64) -> Double {
        let length = minutes * PastCalendar.minute
        let (index, rest) = (wall / length, Double(wall % length) / Double(length))
        let stream = noise.stream(stream)
        let (from, to) = (stream.value(at: Int(index)), stream.value(at: Int(index) + 1))
        return from + (to - from) * rest
    }
}

// The curves; those of a day are by the hour of the day, the others by the hours since the first midnight.
extension PatientCourse {
    private static let dailyTemperature = curve([
        (0, -0.15), (3, -0.32), (5.5, -0.4), (8, -0.15), (11, 0.05), (14, 0.2), (17.5, 0.32), (20, 0.22), (22, 0.02),
        (24, -0.15),
    ])
    private static let dailyRate = curve([
        (0, 60), (3, 56.5), (5.5, 57.5), (7, 66), (8, 76), (12, 78), (14, 74), (18, 80), (21, 74), (22.5, 66), (24, 60),
    ])
    private static let dailySaturation = curve([
        (0, 95.8), (4, 95.4), (7, 96.8), (12, 97.6), (20, 97.6), (22, 97), (24, 95.8),
    ])

    /// The fever of the sixth and seventh day, which paracetamol lowers twice, for some hours (``PastStory``).
    private static let fever = curve([
        (134, 0), (137, 1.1), (138.5, 2.0), (138.9, 2.1), (140.75, 0.75), (142, 0.7), (144.5, 2.2), (145.5, 2.75),
        (146.2, 2.8), (148, 1.6), (150, 1.25), (154, 1.1), (159, 1.0), (161, 1.45), (162, 1.4), (163.5, 0.7),
        (172, 0.6), (178, 0.4), (190, 0.1), (200, 0),
    ])
    /// The chill with which the fever begins makes the heart race.
    private static let chill = curve([(137.5, 0), (137.7, 27), (137.85, 29), (138.1, 0)])
    /// The breath pauses in the second night of the fever.
    private static let apnoea = curve([(148.1, 0), (148.14, -7.5), (148.2, -8), (148.26, 0)])

    private static func curve(_ points: [(Double, Double)]) -> Curve {
        Curve(keyframes: points.map { Curve.Keyframe(seconds: $0.0, value: $0.1) }) ?? Curve(constant: 0)
    }
}
