import Base
import Vitals

/// One resolution of a trend: a ring of buckets of equal length, each with the extremes of its time.
///
/// A bucket contains its own number on the time line, so that old contents of the ring need no clearing: they have
/// another number. Adding a value has a constant cost.
struct TrendLevel: Hashable, Sendable {
    /// The length of a bucket in nanoseconds.
    let width: Int64
    /// The number of buckets.
    let capacity: Int
    private(set) var buckets: [Bucket]

    /// Creates a ring; it allocates memory with its first value unless it is given buckets.
    init(width: Duration, capacity: Int, buckets: [Bucket] = []) {
        self.width = width.nanoseconds
        self.capacity = capacity
        self.buckets = buckets
    }

    /// The number of allocated buckets; 0 before the first value.
    var bucketCount: Int { buckets.count }

    /// The time, in nanoseconds, that the ring spans.
    var span: Int64 { width * Int64(capacity) }

    /// The number of the bucket of a time.
    func number(of time: MonotonicTime) -> Int64 {
        let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: width)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The beginning of the bucket with this number.
    func start(of number: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: number &* width) }

    /// The bucket with this number, if it has an entry and is still in the ring.
    func bucket(_ number: Int64) -> Bucket? {
        guard !buckets.isEmpty else { return nil }
        let bucket = buckets[slot(number)]
        return bucket.isOf(number) ? bucket : nil
    }

    /// The combined contents of consecutive buckets.
    struct Extremes {
        /// The lowest and the highest value, if there is any.
        fileprivate(set) var lowest = Int32.max
        fileprivate(set) var highest = Int32.min
        /// The newest value; `nil` without any.
        fileprivate(set) var lastValue: Int32?
        /// The newest bucket with an entry, with its number.
        fileprivate(set) var newest: (bucket: Bucket, number: Int64)?
        /// The number of visited buckets.
        fileprivate(set) var visitedCount = 0
    }

    /// The combined contents of the buckets with these numbers, at most as many as the ring has.
    ///
    /// A frame visits thousands: so an index is calculated once by a division and then incremented.
    func extremes(from first: Int64, through last: Int64) -> Extremes {
        var found = Extremes()
        if buckets.isEmpty { return found }
        found.visitedCount = Int(last - first) + 1
        var newest: (slot: Int, number: Int64)?
        buckets.withUnsafeBufferPointer { buckets in
            var slot = slot(first)
            for number in first...last {
                defer { slot = slot + 1 == capacity ? 0 : slot + 1 }
                guard buckets[slot].isOf(number) else { continue }
                newest = (slot, number)
                guard buckets[slot].hasValue else { continue }
                found.lowest = min(found.lowest, buckets[slot].minimum)
                found.highest = max(found.highest, buckets[slot].maximum)
                found.lastValue = buckets[slot].last
            }
        }
        found.newest = newest.map { (buckets[$0.slot], $0.number) }
        return found
    }

    mutating func insert(_ value: Int32?, at time: MonotonicTime) {
        if buckets.isEmpty { buckets = Array(repeating: Bucket(), count: capacity) }
        let number = number(of: time)
        let short = Int32(truncatingIfNeeded: number)
        let slot = slot(number)
        if buckets[slot].number != short || !buckets[slot].isUsed {
            // Late values do not displace newer ones.
            guard !buckets[slot].isUsed || short &- buckets[slot].number > 0 else { return }
            buckets[slot] = Bucket()
            buckets[slot].number = short
            buckets[slot].isUsed = true
        }
        buckets[slot].enter(value)
    }

    /// Clears the bucket of a time.
    mutating func clearBucket(at time: MonotonicTime) {
        guard !buckets.isEmpty, bucket(number(of: time)) != nil else { return }
        buckets[slot(number(of: time))] = Bucket()
    }

    /// Fills gaps from another ring of the same kind: newer and existing entries stay.
    ///
    /// - Parameters:
    ///   - merging: Whether an entry of the other ring widens the extremes of an existing bucket; the value that the bucket
    ///     ends with stays.
    ///   - end: The bucket of this time and later ones are omitted.
    mutating func underlay(_ other: TrendLevel, merging: Bool, until end: MonotonicTime? = nil) {
        guard !other.buckets.isEmpty else { return }
        guard !buckets.isEmpty else {
            buckets = other.buckets
            return
        }
        let last = end.map { Int32(truncatingIfNeeded: number(of: $0)) }
        for (slot, older) in other.buckets.enumerated() where older.isUsed {
            if let last, older.number &- last >= 0 { continue }
            if !buckets[slot].isUsed || older.number &- buckets[slot].number > 0 {
                buckets[slot] = older
            } else if merging, older.number == buckets[slot].number {
                buckets[slot].widen(by: older)
            }
        }
    }

    private func slot(_ number: Int64) -> Int {
        let remainder = Int(number % Int64(capacity))
        return remainder < 0 ? remainder + capacity : remainder
    }

    /// The content of one bucket's time; values in hundredths.
    struct Bucket: Hashable, Sendable {
        /// The number on the time line, truncated to 32 bits: bucket numbers of one second repeat after 136 years.
        var number: Int32 = 0
        private(set) var minimum: Int32 = .max
        private(set) var maximum: Int32 = .min
        private(set) var last: Int32 = 0
        var isUsed = false
        /// Whether the newest entry is an absence.
        private(set) var endsAbsent = false

        func isOf(_ number: Int64) -> Bool { self.number == Int32(truncatingIfNeeded: number) && isUsed }

        /// Whether it has a value, and not only absences.
        var hasValue: Bool { minimum <= maximum }

        init() {}

        /// Copies a bucket.
        init(number: Int32, minimum: Int32, maximum: Int32, last: Int32, endsAbsent: Bool) {
            (self.number, self.minimum, self.maximum, self.last) = (number, minimum, maximum, last)
            (isUsed, self.endsAbsent) = (true, endsAbsent)
        }

        fileprivate mutating func widen(by older: Bucket) {
            guard older.hasValue else { return }
            minimum = min(minimum, older.minimum)
            maximum = max(maximum, older.maximum)
        }

        fileprivate mutating func enter(_ value: Int32?) {
            guard let value else {
                endsAbsent = true
                return
            }
            minimum = min(minimum, value)
            maximum = max(maximum, value)
            last = value
            endsAbsent = false
        }
    }
}

/// Only used buckets are encoded, in six numbers each, most of them of one digit: the differences of its index and its
/// number from those of the previous one, its last value, the differences of its extremes from that, and whether it
/// ends absent.
extension TrendLevel: Codable {
    private enum CodingKeys: CodingKey {
        case width, capacity, buckets
    }

    private static let numbersPerBucket = 6

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(width, forKey: .width)
        try container.encode(capacity, forKey: .capacity)
        guard bucketCount > 0 else { return }
        var numbers: [Int64] = []
        var (slot, number): (Int64, Int64) = (0, 0)
        for (place, bucket) in buckets.enumerated() where bucket.isUsed {
            let last = Int64(bucket.last)
            numbers += [
                Int64(place) - slot, Int64(bucket.number) - number, last, Int64(bucket.minimum) - last,
                Int64(bucket.maximum) - last, bucket.endsAbsent ? 1 : 0,
            ]
            (slot, number) = (Int64(place), Int64(bucket.number))
        }
        try container.encode(numbers, forKey: .buckets)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let width = try container.decode(Int64.self, forKey: .width)
        let capacity = try container.decode(Int.self, forKey: .capacity)
        let numbers = try container.decodeIfPresent([Int64].self, forKey: .buckets)
        let isOurs = Trend.resolutions.contains { resolution in
            resolution.width.nanoseconds == width
                && resolution.reach.nanoseconds / resolution.width.nanoseconds == Int64(capacity)
        }
        let buckets = numbers.flatMap { Self.buckets($0, capacity: capacity) }
        guard isOurs, (numbers == nil) == (buckets == nil) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: container.codingPath, debugDescription: "no level of a trend"))
        }
        self.init(width: .nanoseconds(width), capacity: capacity, buckets: buckets ?? [])
    }

    private static func buckets(_ numbers: [Int64], capacity: Int) -> [Bucket]? {
        guard numbers.count.isMultiple(of: numbersPerBucket), (0...10_000).contains(capacity) else { return nil }
        var buckets = Array(repeating: Bucket(), count: capacity)
        var (slot, number): (Int64, Int64) = (0, 0)
        for start in stride(from: 0, to: numbers.count, by: numbersPerBucket) {
            slot &+= numbers[start]
            number &+= numbers[start + 1]
            let last = numbers[start + 2]
            guard (0..<Int64(capacity)).contains(slot), let short = Int32(exactly: number),
                let value = Int32(exactly: last), let minimum = Int32(exactly: last &+ numbers[start + 3]),
                let maximum = Int32(exactly: last &+ numbers[start + 4])
            else { return nil }
            buckets[Int(slot)] = Bucket(
                number: short, minimum: minimum, maximum: maximum, last: value, endsAbsent: numbers[start + 5] != 0)
        }
        return buckets
    }
}
