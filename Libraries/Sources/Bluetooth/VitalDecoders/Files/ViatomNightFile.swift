/// A night as an oximeter ring of Viatom or Wellue stores it, decoded from its file.
///
/// The older rings (O2Ring, Checkme O2, SleepU, KidsO2) write 40 octets of head and 5 octets a sample, the newer ones
/// (O2Ring S) 10 octets of head, 3 octets a sample and 48 octets at the end, without which the ring is still writing. A
/// ring has no time zone: its times are those of its wall clock. Source: public descriptions (the project
/// `wellue-o2ring-web-ui`, the import of OSCAR); not verified on a ring here.
public struct ViatomNightFile: Hashable, Sendable {
    /// Which rings write it.
    public var layout: Layout
    /// When it begins, by the ring's clock; `nil` in a file without its end, of which only the name tells it.
    public var start: DateTime?
    /// Seconds from one sample to the next, at least 1.
    public var interval: Int
    /// The samples in the order of their times.
    public var samples: [Sample]
    /// Whether the ring has completed the file.
    public var isComplete: Bool

    /// The layout of a file.
    public enum Layout: String, CaseIterable, Hashable, Sendable {
        /// The older rings.
        case viatom
        /// The newer rings (O2Ring S).
        case oxyII = "oxyii"
    }

    /// What was measured in one interval.
    public struct Sample: Hashable, Sendable {
        /// The oxygen saturation in percent; `nil` for none.
        public var saturation: UInt8?
        /// The pulse rate in beats a minute; `nil` for none.
        public var pulseRate: UInt16?
        /// How much the ring was moved, in the maker's own steps.
        public var movement: UInt8
        /// Whether the ring reminded of a low saturation, or of the pulse, by vibrating.
        public var hasReminded: Bool

        public init(saturation: UInt8?, pulseRate: UInt16?, movement: UInt8, hasReminded: Bool = false) {
            (self.saturation, self.pulseRate) = (saturation, pulseRate)
            (self.movement, self.hasReminded) = (movement, hasReminded)
        }
    }

    public init(
        layout: Layout, start: DateTime?, interval: Int, samples: [Sample], isComplete: Bool
    ) {
        (self.layout, self.start, self.interval) = (layout, start, interval)
        (self.samples, self.isComplete) = (samples, isComplete)
    }

    /// The most octets of a file: a ring holds some 10 hours, which are 108 kB at one sample a second.
    public static let longest = 1 << 20

    /// Decodes a file.
    ///
    /// - Parameter octets: The whole file.
    /// - Throws: ``MalformedValueError`` for a file of another kind, or one that is cut off, contradicts itself or has
    ///   changed since it was written.
    public init(_ octets: [UInt8]) throws(MalformedValueError) {
        guard octets.count <= Self.longest else {
            throw MalformedValueError(offset: Self.longest, reason: "a night has at most \(Self.longest) octets")
        }
        switch octets.prefix(2) {
        case [1, 3]: try self.init(oxyII: octets)
        // 6 was seen by others, too; the head is the same.
        case [3, 0], [5, 0], [6, 0], [3, 1], [5, 1], [6, 1]: try self.init(viatom: octets)
        default: throw MalformedValueError(offset: 0, reason: "it does not begin as a night of a ring does")
        }
    }

    // MARK: The older rings

    private enum Viatom {
        static let head = 40
        static let sample = 5
    }

    private init(viatom octets: [UInt8]) throws(MalformedValueError) {
        guard octets.count >= Viatom.head else {
            throw MalformedValueError(offset: octets.count, reason: "the file ends within its head of 40 octets")
        }
        let start = DateTime(
            year: octets.word16(at: 2), month: octets[4], day: octets[5], hour: octets[6], minute: octets[7],
            second: octets[8])
        guard start.isCalendarDate else {
            throw MalformedValueError(offset: 2, reason: "it begins at \(start), which is no time")
        }
        let (size, duration) = (octets.word32(at: 9), Int(octets.word16(at: 13)))
        guard Int(size) == octets.count else {
            throw MalformedValueError(offset: 9, reason: "it names \(size) octets, \(octets.count) are present")
        }
        let count = (octets.count - Viatom.head) / Viatom.sample
        guard count > 0, (octets.count - Viatom.head) % Viatom.sample == 0 else {
            throw MalformedValueError(offset: Viatom.head, reason: "it has no whole number of samples")
        }
        var samples = (0..<count).map { index in
            let place = Viatom.head + index * Viatom.sample
            return Sample(
                saturation: Self.saturation(octets[place]), pulseRate: Self.pulse(octets.word16(at: place + 1)),
                movement: octets[place + 3], hasReminded: octets[place + 4] & 0xE0 != 0)
        }
        var interval = max(1, (duration + count / 2) / count)
        // Some write every sample twice, and call it a sample in two seconds.
        if interval == 2, count % 2 == 0,
            stride(from: 0, to: count, by: 2).allSatisfy({ samples[$0] == samples[$0 + 1] })
        {
            samples = stride(from: 0, to: count, by: 2).map { samples[$0] }
            interval = 4
        }
        guard duration > 0, interval <= Self.longestInterval else {
            throw MalformedValueError(offset: 13, reason: "\(count) samples cannot take \(duration) seconds")
        }
        self.init(layout: .viatom, start: start, interval: interval, samples: samples, isComplete: true)
    }

    private static let longestInterval = 60

    // MARK: The newer rings

    private enum OxyII {
        static let head = 10
        static let end = 48
        /// The word by which the ring marks a file that is complete.
        static let mark: UInt32 = 0xDA5A_1248
    }

    private init(oxyII octets: [UInt8]) throws(MalformedValueError) {
        guard octets.count >= OxyII.head else {
            throw MalformedValueError(offset: octets.count, reason: "the file ends within its head of 10 octets")
        }
        let end = octets.count - OxyII.end
        guard end >= OxyII.head, octets.word32(at: end + 4) == OxyII.mark else {
            let samples = Self.samples(octets[OxyII.head...], size: 3)
            self.init(layout: .oxyII, start: nil, interval: 1, samples: samples, isComplete: false)
            return
        }
        let sum = octets[..<end].reduce(UInt32(0)) { $0 &+ UInt32($1) }
        guard octets.word32(at: end) == sum else {
            throw MalformedValueError(
                offset: end, reason: "its sum is \(octets.word32(at: end)), the octets before it give \(sum)")
        }
        let count = Int(octets.word32(at: end + 12))
        let (interval, size) = (Int(octets[end + 16]), octets[end + 17] == 0 ? 2 : 3)
        guard (1...Self.longestInterval).contains(interval) else {
            throw MalformedValueError(offset: end + 16, reason: "\(interval) seconds are no interval of samples")
        }
        guard count == (end - OxyII.head) / size, (end - OxyII.head) % size == 0, count > 0 else {
            throw MalformedValueError(
                offset: end + 12, reason: "it names \(count) samples, \((end - OxyII.head) / size) are present")
        }
        guard let start = DateTime(secondsSince1970: octets.word32(at: end + 8)) else {
            throw MalformedValueError(offset: end + 8, reason: "its beginning is no time")
        }
        self.init(
            layout: .oxyII, start: start, interval: interval,
            samples: Self.samples(octets[OxyII.head..<end], size: size), isComplete: true)
    }

    private static func samples(_ octets: ArraySlice<UInt8>, size: Int) -> [Sample] {
        stride(from: octets.startIndex, to: octets.endIndex - size + 1, by: size).map { place in
            let flags = size > 2 ? octets[place + 2] : 0
            return Sample(
                saturation: saturation(octets[place]),
                pulseRate: octets[place + 1] == .max ? nil : pulse(UInt16(octets[place + 1])),
                movement: flags & 0x3F, hasReminded: flags & 0xC0 != 0)
        }
    }

    private static func saturation(_ octet: UInt8) -> UInt8? { (1...100).contains(octet) ? octet : nil }

    private static func pulse(_ word: UInt16) -> UInt16? { (1...500).contains(word) ? word : nil }
}

extension DateTime {
    /// The wall time that a device keeps as seconds since 1970; `nil` for one before 2000, which no ring has seen.
    init?(secondsSince1970 seconds: UInt32) {
        guard seconds >= 946_684_800 else { return nil }
        var days = Int(seconds) / 86400
        let second = Int(seconds) % 86400
        // The civil calendar in eras of 400 years that begin in March, as days counted from 0000-03-01.
        days += 719_468
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + days / 146_097 * 400 + (month <= 2 ? 1 : 0)
        self.init(
            year: UInt16(clamping: year), month: UInt8(clamping: month),
            day: UInt8(clamping: dayOfYear - (153 * shifted + 2) / 5 + 1), hour: UInt8(clamping: second / 3600),
            minute: UInt8(clamping: second / 60 % 60), second: UInt8(clamping: second % 60))
    }
}

extension [UInt8] {
    fileprivate func word16(at place: Int) -> UInt16 { UInt16(self[place]) | UInt16(self[place + 1]) << 8 }

    fileprivate func word32(at place: Int) -> UInt32 {
        UInt32(word16(at: place)) | UInt32(word16(at: place + 2)) << 16
    }
}
