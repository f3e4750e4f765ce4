import Base

/// Seconds since 1970 (UTC), some hundred octets for each hour that has some.
struct SecondSet: Hashable, Sendable {
    private static let length: Int64 = 3600
    private static let bits: Int64 = 64

    /// A bit for each second of an hour, by the number of the hour.
    private var pages: [Int64: [UInt64]] = [:]
    /// How many there are.
    private(set) var count = 0

    /// The seconds of an hour.
    static func seconds(ofHour hour: Int64) -> Range<Int64> { hour * length..<(hour + 1) * length }

    static func hour(of second: Int64) -> Int64 {
        let (hour, rest) = second.quotientAndRemainder(dividingBy: length)
        return rest < 0 ? hour - 1 : hour
    }

    /// The hours that have some, in their order.
    var hours: [Int64] { pages.keys.sorted() }

    var isEmpty: Bool { count == 0 }

    private static func place(_ second: Int64) -> (hour: Int64, word: Int, bit: UInt64) {
        let hour = hour(of: second)
        let (word, bit) = (second - hour * length).quotientAndRemainder(dividingBy: bits)
        return (hour, Int(word), 1 << UInt64(bit))
    }

    func contains(_ second: Int64) -> Bool {
        let place = Self.place(second)
        return pages[place.hour].map { $0[place.word] & place.bit != 0 } ?? false
    }

    mutating func insert(_ second: Int64) {
        let place = Self.place(second)
        let isNew = { (words: inout [UInt64]) -> Bool in
            defer { words[place.word] |= place.bit }
            return words[place.word] & place.bit == 0
        }(&pages[place.hour, default: [UInt64](repeating: 0, count: Int((Self.length + Self.bits - 1) / Self.bits))])
        if isNew { count += 1 }
    }

    mutating func insert(_ seconds: Range<Int64>) {
        for second in seconds { insert(second) }
    }

    /// The first one, and the one after the last; `nil` for none.
    var bounds: Range<Int64>? {
        guard let first = pages.keys.min(), let last = pages.keys.max(),
            let start = Self.seconds(ofHour: first).first(where: contains),
            let end = Self.seconds(ofHour: last).last(where: contains)
        else { return nil }
        return start..<end + 1
    }
}

/// The whole second of a wall time in milliseconds, rounded down.
func wholeSecond(_ wall: Int64) -> Int64 {
    let (second, rest) = wall.quotientAndRemainder(dividingBy: 1000)
    return rest < 0 ? second - 1 : second
}
