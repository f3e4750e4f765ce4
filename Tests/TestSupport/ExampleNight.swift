import Nights
import Vitals

/// A night of a ring, and of a second oximeter, for pictures and reports.
public enum ExampleNight {
    private static let hour: Int64 = 3_600_000

    /// A night of 7 h 50 min from 22:14 on, every four seconds, with falls of 3 to 11 %, 12 minutes without a finger and
    /// some movement; the second oximeter was read live for 80 minutes.
    ///
    /// - Parameters:
    ///   - noon: The local noon with which it begins, in milliseconds since 1970 (UTC).
    ///   - hasOther: Whether there is a second oximeter.
    public static func night(from noon: Int64, hasOther: Bool = false) -> PatientNight {
        let window = noon..<noon + 24 * hour
        let ring = SensorIdentity(address: "C0:52:49:00:00:09", name: "O2Ring 2231", kind: .oximeter)
        var builder = NightBuilder(of: window, sensor: ring)
        builder.add(
            StoredNight(
                sensor: ring, name: "20261127221400", start: noon + 10 * hour + 14 * 60_000, interval: 4,
                samples: samples))
        var courses = [builder.course()]
        if hasOther {
            let other = SensorIdentity(address: "C0:52:49:00:00:0A", name: "PM100", kind: .oximeter)
            var builder = NightBuilder(of: window, sensor: other)
            for second in 0..<4800 as Range<Int64> {
                let value = VitalValue(whole: second % 200 < 25 ? 92 : 97)
                let wall = noon + 11 * hour + second * 1000
                builder.add(.oxygenSaturation, .measured(value, .good), at: wall, from: other)
                builder.add(.pulseRate, .measured(VitalValue(whole: 58), .good), at: wall, from: other)
            }
            courses.append(builder.course())
        }
        return PatientNight(window: window, courses: courses.compactMap(\.self))
    }

    private static var samples: [NightSample] {
        let count = 7050
        var random = SeededGenerator(seed: 53)
        var values = [Int](repeating: 0, count: count)
        for place in 0..<count { values[place] = 96 - (place / 900) % 2 }
        var place = 200
        while place < count - 60 {
            let (depth, down) = (Int.random(in: 2...11, using: &random), Int.random(in: 4...12, using: &random))
            for step in 1...down { values[place + step] -= depth * step / down }
            values[place + down + 1] -= depth / 2
            place += down + Int.random(in: 20...170, using: &random)
        }
        return (0..<count).map { place in
            if (3000..<3180).contains(place) { return NightSample(saturation: nil, pulseRate: nil, movement: 0) }
            let movement: UInt8 = place % 1013 < 14 ? 34 : place % 211 < 5 ? 4 : 0
            return NightSample(
                saturation: UInt8(values[place]), pulseRate: UInt16(56 + (96 - values[place]) * 2 + place / 700),
                movement: movement)
        }
    }
}
