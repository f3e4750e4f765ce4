import Vitals

/// One resolution of a trend: a ring of buckets of equal length, each with the extremes of its time.
///
/// A bucket knows its own number on the time line, so that old contents of the ring need no clearing: they are simply
/// of another number. Entering a value costs the same whatever came before.
struct TrendLevel: Hashable, Sendable {
    /// The length of a bucket in nanoseconds.
    let width: Int64
    /// How many buckets there are.
    let capacity: Int
    private(set) var buckets: [Bucket]

    /// Makes a ring; it takes memory with its first value unless it is given buckets.
    init(width: Duration, capacity: Int, buckets: [Bucket] = []) {
        self.width = width.nanoseconds
        self.capacity = capacity
        self.buckets = buckets
    }

    /// How many buckets memory is held for: none before the first value.
    var bucketCount: Int { buckets.count }

    /// The time, in nanoseconds, that the ring spans.
    var span: Int64 { width * Int64(capacity) }

    /// The number of the bucket that a time falls into.
    func number(of nanoseconds: Int64) -> Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: width)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The bucket with this number, if anything was entered into it and it is still in the ring.
    func bucket(_ number: Int64) -> Bucket? {
        buckets.isEmpty ? nil : bucket(at: slots(from: number))
    }

    /// The bucket at a place, if anything was entered into it and it is still in the ring.
    func bucket(at place: Slots) -> Bucket? {
        guard place.slot < buckets.count else { return nil }
        let bucket = buckets[place.slot]
        return bucket.number == Int32(truncatingIfNeeded: place.number) && bucket.isUsed ? bucket : nil
    }

    /// Walks along the ring from the bucket with this number.
    func slots(from number: Int64) -> Slots {
        Slots(number: number, slot: slot(number), capacity: capacity)
    }

    /// The number of a bucket and its place in the ring, found once by a division and then by counting.
    struct Slots {
        private(set) var number: Int64
        private(set) var slot: Int
        fileprivate let capacity: Int

        fileprivate init(number: Int64, slot: Int, capacity: Int) {
            (self.number, self.slot, self.capacity) = (number, slot, capacity)
        }

        mutating func advance() {
            number += 1
            slot = slot + 1 == capacity ? 0 : slot + 1
        }
    }

    mutating func insert(_ value: Int32?, at nanoseconds: Int64) {
        if buckets.isEmpty { buckets = Array(repeating: Bucket(), count: capacity) }
        let number = number(of: nanoseconds)
        let short = Int32(truncatingIfNeeded: number)
        let slot = slot(number)
        if buckets[slot].number != short || !buckets[slot].isUsed {
            // Late values do not push out what is newer.
            guard !buckets[slot].isUsed || short &- buckets[slot].number > 0 else { return }
            buckets[slot] = Bucket()
            buckets[slot].number = short
            buckets[slot].isUsed = true
        }
        buckets[slot].enter(value)
    }

    /// Puts what another ring of the same kind holds underneath: nothing that is newer, or there already, is lost.
    ///
    /// - Parameter merging: Whether what the other has of the time of a bucket that is used here too widens its extremes;
    ///   the value that the bucket ends with stays.
    mutating func underlay(_ other: TrendLevel, merging: Bool) {
        guard !other.buckets.isEmpty else { return }
        guard !buckets.isEmpty else {
            buckets = other.buckets
            return
        }
        for (slot, older) in other.buckets.enumerated() where older.isUsed {
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

    /// What happened in one bucket's time; values in hundredths.
    struct Bucket: Hashable, Sendable {
        /// The number on the time line, cut to 32 bits: bucket numbers of one second repeat after 136 years.
        var number: Int32 = 0
        private(set) var minimum: Int32 = .max
        private(set) var maximum: Int32 = .min
        private(set) var last: Int32 = 0
        var isUsed = false
        /// Whether the newest thing that was entered is an absence.
        private(set) var endsAbsent = false

        /// Whether there is a value, and not only absences.
        var hasValue: Bool { minimum <= maximum }

        init() {}

        /// Makes a bucket as one is.
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
