import Base
import Vitals

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
