import Base
import Vitals

/// A part of the week with limits and sounds that differ from the daily ones, such as the night.
public struct ScheduleEntry: Codable, Hashable, Sendable {
    /// Its name: "night".
    public var name: String
    /// The minute of the local day at which it begins, 0 to 1439.
    public var start: Int
    /// The minute of the local day at which it ends, 0 to 1439; before `start` if it continues past midnight, equal to
    /// it if it lasts for 24 hours.
    public var end: Int
    /// The days on which it begins; past midnight it continues into the next day.
    public var days: Weekdays
    /// All limits while it is in force.
    public var limits: MonitorSettings.Limits
    /// The repetition and the melodies of alarms while it is in force; `nil` for the daily ones.
    public var pattern: SoundPattern?
    /// The volume in percent while it is in force; `nil` for the daily one.
    ///
    /// There is no value that silences alarms, and those of high priority have a floor (`SoundVolume`).
    public var volume: Int?

    /// Creates an entry; the name is sanitized.
    public init(
        name: String, start: Int, end: Int, days: Weekdays = .all, limits: MonitorSettings.Limits,
        pattern: SoundPattern? = nil, volume: Int? = nil
    ) {
        self.name = sanitized(name, limit: 32)
        (self.start, self.end, self.days) = (start, end, days)
        (self.limits, self.pattern, self.volume) = (limits, pattern, volume)
    }

    /// The number of minutes in a day.
    public static let minutesOfDay = 1440
    /// The number of minutes in a week.
    static let minutesOfWeek = 7 * minutesOfDay

    /// Whether it is in force at a minute of the local week, which begins on Monday at midnight.
    public func contains(minuteOfWeek: Int) -> Bool {
        let (day, minute) = minuteOfWeek.quotientAndRemainder(dividingBy: Self.minutesOfDay)
        if start < end { return (start..<end).contains(minute) && days.contains(day: day) }
        return minute >= start && days.contains(day: day) || minute < end && days.contains(day: (day + 6) % 7)
    }

    /// The minutes of the week at which it begins or ends.
    var bounds: [Int] {
        let length = end > start ? end - start : end - start + Self.minutesOfDay
        return (0..<7).filter { days.contains(day: $0) }.flatMap { day in
            let begin = day * Self.minutesOfDay + start
            return [begin, (begin + length) % Self.minutesOfWeek]
        }
    }

    /// Whether its times are possible; another program may have sent it.
    var isCoherent: Bool {
        let minutes = 0..<Self.minutesOfDay
        return minutes.contains(start) && minutes.contains(end) && Weekdays.all.isSuperset(of: days)
            && volume.map((1...100).contains) ?? true
    }
}

/// Days of the week.
public struct Weekdays: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Creates a set of days.
    public init(_ days: some Sequence<Weekday>) {
        self.init(rawValue: days.reduce(0) { $0 | 1 << UInt8($1.index) })
    }

    /// Every day.
    public static let all = Weekdays(rawValue: 0x7F)

    /// The days in order, from Monday.
    public var list: [Weekday] { Weekday.allCases.filter { contains(day: $0.index) } }

    /// Whether it has a day, by its number from Monday, 0 to 6.
    func contains(day: Int) -> Bool { rawValue >> UInt8(day) & 1 == 1 }
}

/// A day of the week; the raw value is its name in the configuration.
public enum Weekday: String, CaseIterable, Codable, Hashable, Sendable {
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"

    /// Its number from Monday, 0 to 6.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The entry of a schedule that is in force, and how long.
public struct ScheduleSpan: Codable, Hashable, Sendable {
    /// The index of the entry; `nil` while none is in force.
    public var entry: Int?
    /// The local wall-clock times for which that is known, in milliseconds; the end is the next change, `Int64.max` for
    /// none.
    public var local: Range<Int64>
}

extension [ScheduleEntry] {
    /// The index of the entry that is in force at a local wall-clock time in milliseconds; `nil` for none.
    ///
    /// Entries of a configuration do not overlap; of others the first one is in force.
    public func inForce(atLocal local: Int64) -> Int? { inForce(minuteOfWeek: Self.minuteOfWeek(local)) }

    private func inForce(minuteOfWeek: Int) -> Int? { firstIndex { $0.contains(minuteOfWeek: minuteOfWeek) } }

    /// The entry in force at a local wall-clock time in milliseconds, and until when.
    public func span(atLocal local: Int64) -> ScheduleSpan {
        let minute = Self.minuteOfWeek(local)
        let entry = inForce(minuteOfWeek: minute)
        let week = ScheduleEntry.minutesOfWeek
        let ahead = flatMap(\.bounds).map { ($0 - minute - 1 + week) % week + 1 }
            .filter { inForce(minuteOfWeek: (minute + $0) % week) != entry }.min()
        let start = local.subtractingSaturated((local % 60_000 + 60_000) % 60_000)
        let end = ahead.map { start.addingSaturated(Int64($0) * 60_000) } ?? .max
        return ScheduleSpan(entry: entry, local: start..<Swift.max(start, end))
    }

    /// The names of two entries that are in force at the same time, and the first such minute of the week; `nil` where
    /// there are none.
    public var overlap: (first: Int, second: Int, minuteOfWeek: Int)? {
        for second in indices {
            for first in 0..<second {
                // Two spans overlap where one of them begins within the other.
                let starts = [self[first], self[second]].flatMap(\.bounds).sorted()
                let both = { (minute: Int) in
                    self[first].contains(minuteOfWeek: minute) && self[second].contains(minuteOfWeek: minute)
                }
                if let minute = starts.first(where: both) { return (first, second, minute) }
            }
        }
        return nil
    }

    /// The minute of the week, which begins on Monday at midnight, of a local wall-clock time in milliseconds.
    private static func minuteOfWeek(_ local: Int64) -> Int {
        let week = Int64(ScheduleEntry.minutesOfWeek)
        let (quotient, remainder) = local.quotientAndRemainder(dividingBy: 60_000)
        // 1970 began on a Thursday, three days after a Monday.
        let minutes = (quotient - (remainder < 0 ? 1 : 0)) % week + 3 * Int64(ScheduleEntry.minutesOfDay)
        return Int((minutes + week) % week)
    }
}

extension MonitorSettings {
    /// The limits in force at a local wall-clock time in milliseconds.
    public func limits(atLocal local: Int64) -> Limits {
        schedule.inForce(atLocal: local).map { schedule[$0].limits } ?? limits
    }
}
