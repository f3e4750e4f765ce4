import Base
import Nights
import Vitals

extension SimulatedPast {
    /// The nights that the oximeter stored itself, so that the page of nights has something: every four seconds, with
    /// falls of the saturation that the readings, which are rarer, do not have.
    public func nights() -> [StoredNight] {
        guard let oximeter = sensors.oximeter, calendar.midnights.count == Self.dayCount else { return [] }
        let course = PatientCourse(calendar, Noise(seed: seed))
        return (0..<Self.dayCount - 1).compactMap { day in
            let noise = Noise(seed: seed).stream(100 + day)
            let start = calendar.wall(day, 22.2 + 0.3 * noise.value(at: 0))
            let end = min(calendar.wall(day, 30.2 + 0.4 * noise.value(at: 1)), calendar.end)
            guard end - start >= PastCalendar.hour else { return nil }
            return StoredNight(
                sensor: oximeter, name: "simulated-\(day)", start: start, interval: Self.nightInterval,
                samples: samples(from: start, to: end, course, noise))
        }
    }

    private static let nightInterval = 4

    private func samples(from start: Int64, to end: Int64, _ course: PatientCourse, _ noise: Noise) -> [NightSample] {
        let count = Int((end - start) / Int64(Self.nightInterval * 1000))
        let depths = falls(count, noise)
        let movements = noise.stream(3)
        // Some minutes without a finger, once a night.
        let away = count / 3 + Int(1000 * noise.value(at: 2))
        return (0..<count).map { place in
            if (away..<away + 60).contains(place) {
                return NightSample(saturation: nil, pulseRate: nil, movement: 0)
            }
            let wall = start + Int64(place * Self.nightInterval * 1000)
            let saturation = course.value(of: .oxygenSaturation, at: wall).map { $0.hundredths / 100 } ?? 96
            let rate = course.value(of: .pulseRate, at: wall).map { $0.hundredths / 100 } ?? 60
            // Sleepers turn over now and then.
            let turns = movements.value(at: place / 8)
            let movement = turns > 0.985 ? 30 : turns > 0.94 ? 6 : 0
            return NightSample(
                saturation: UInt8(clamping: max(70, saturation - depths[place])),
                pulseRate: UInt16(clamping: rate + depths[place]), movement: UInt8(movement))
        }
    }

    /// How far the saturation is down in each sample, in percentage points.
    private func falls(_ count: Int, _ noise: Noise) -> [Int] {
        var depths = [Int](repeating: 0, count: count)
        let noise = noise.stream(4)
        var (place, number) = (150, 0)
        while place + 40 < count {
            func share(_ index: Int) -> Double { (noise.value(at: number * 4 + index) + 1) / 2 }
            let (depth, down, up) = (3 + 6 * share(0), 5 + Int(7 * share(1)), 2 + Int(2 * share(2)))
            for step in 1...down { depths[place + step] = Int(depth * Double(step) / Double(down)) }
            for step in 1...up { depths[place + down + step] = Int(depth * Double(up - step) / Double(up)) }
            place += down + up + 20 + Int(400 * share(3) * share(3))
            number += 1
        }
        return depths
    }
}
