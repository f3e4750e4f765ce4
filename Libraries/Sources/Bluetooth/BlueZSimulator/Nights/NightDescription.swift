import Base

/// A night that a simulated ring stores, as a scenario describes it: what happens in it is known beforehand.
struct NightDescription: Hashable, Sendable {
    /// When a night begins.
    enum Start: Hashable, Sendable {
        /// At a time of the ring's clock, in seconds since 1970 as if that clock were UTC.
        case clock(Int)
        /// At a time of day, in seconds since midnight, in the evening so many days before the last noon.
        case evening(Int, daysAgo: Int)
        /// Some seconds after the scenario began, or before it.
        case seconds(Double)
    }

    /// A fall of the saturation below its usual value; it is straight down, and straight up again.
    struct Fall: Hashable, Sendable {
        /// When it begins, in seconds of the night.
        var at: Double
        /// How deep it is, in percent of saturation.
        var depth: Double
        /// The seconds to its lowest point, and from there back.
        var length: Double
        var recovery: Double
    }

    /// A part of the night, in seconds of it.
    struct Spell: Hashable, Sendable {
        var at: Double
        var length: Double
    }

    /// A part of the night with movement.
    struct Movement: Hashable, Sendable {
        var spell: Spell
        /// In the maker's steps.
        var strength: Int
    }

    /// What is wrong with the file of a night; the raw value is the word in a scenario.
    enum Defect: String, CaseIterable, Hashable, Sendable {
        /// It never gets its end, as one that the ring is still writing.
        case unfinished
        /// Its sum is wrong; an older ring, whose files have none, names another length in the file.
        case wrongSum
        /// The ring announces 100 octets more than it has.
        case wrongSize
    }

    var start: Start
    /// Seconds, and those from one sample to the next.
    var length: Double
    var interval: Int
    /// Percent, and beats a minute, over the seconds of the night.
    var saturation: Quantity
    var pulseRate: Quantity
    var falls: [Fall] = []
    /// When the ring is off the finger, and when the pulse is too weak for a saturation.
    var gaps: [Spell] = []
    var weakPulses: [Spell] = []
    var movements: [Movement] = []
    /// The saturation below which the ring vibrates, in percent; `nil` for never.
    var reminder: Int?
    var defect: Defect?
    /// Its name, if it is not made of the time of its beginning.
    var name: String?

    /// The number of samples of the whole night, at least 1.
    var sampleCount: Int { max(1, Int(length) / interval) }

    /// What is measured in one interval.
    struct Sample: Hashable, Sendable {
        /// Percent, and beats a minute; `nil` for none.
        var saturation: Int?
        var pulseRate: Int?
        var movement = 0
        var hasReminded = false
    }

    /// The first samples of the night.
    ///
    /// - Parameters:
    ///   - count: Their number.
    ///   - noise: The chance of this night.
    func samples(_ count: Int, _ noise: Noise) -> [Sample] {
        let count = max(0, min(sampleCount, count))
        var depths = [Double](repeating: 0, count: count)
        for fall in falls {
            for index in indices(fall.at, fall.length + fall.recovery, in: count) {
                let elapsed = Double(index * interval) - fall.at
                let share =
                    elapsed <= fall.length ? elapsed / fall.length : 1 - (elapsed - fall.length) / fall.recovery
                depths[index] += fall.depth * max(0, share)
            }
        }
        let (saturations, pulses) = (noise.stream(1), noise.stream(2))
        var samples = (0..<count).map { index in
            let seconds = Double(index * interval)
            let percent = saturation.value(at: seconds, sample: index, saturations) - depths[index]
            let rate = pulseRate.value(at: seconds, sample: index, pulses)
            return Sample(
                saturation: Int(max(1, min(100, percent.rounded()))), pulseRate: Int(max(1, min(254, rate.rounded()))))
        }
        for movement in movements {
            for index in indices(movement.spell.at, movement.spell.length, in: count) {
                samples[index].movement = movement.strength
            }
        }
        for spell in weakPulses {
            for index in indices(spell.at, spell.length, in: count) { samples[index].saturation = nil }
        }
        for spell in gaps {
            for index in indices(spell.at, spell.length, in: count) { samples[index] = Sample() }
        }
        if let reminder {
            for index in samples.indices {
                samples[index].hasReminded = samples[index].saturation.map { $0 < reminder } ?? false
            }
        }
        return samples
    }

    /// The samples at or after a time and before its end.
    private func indices(_ at: Double, _ length: Double, in count: Int) -> Range<Int> {
        func index(_ seconds: Double) -> Int {
            Int(max(0, min(Double(count), (seconds / Double(interval)).rounded(.up))))
        }
        let first = index(at)
        return first..<max(first, index(at + length))
    }
}
