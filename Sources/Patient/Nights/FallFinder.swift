/// A fall of the oxygen saturation: it goes down by at least 3 % and comes up again.
public struct NightFall: Hashable, Sendable {
    /// The last instant before it goes down.
    public var begin: Int
    /// The last instant with the lowest saturation.
    public var nadir: Int
    /// The instant in which it is up again.
    public var end: Int
    /// The saturation before it, in percent.
    public var level: UInt8
    /// The lowest saturation in it, in percent.
    public var lowest: UInt8

    public init(begin: Int, nadir: Int, end: Int, level: UInt8, lowest: UInt8) {
        (self.begin, self.nadir, self.end, self.level, self.lowest) = (begin, nadir, end, level, lowest)
    }

    /// How far it goes down, in percentage points.
    public var depth: Int { Int(level) - Int(lowest) }
}

/// Finds falls of the saturation, by the form of the curve.
///
/// The method is that of Jung et al. (2018) as Levy et al. (2021) define the oxygen desaturation index: from the point
/// before the curve goes down (A) it may not rise before it is lower by the threshold; then the lowest point (B) is sought
/// until it is up again (C), which is within 1 % of A, or higher than B by the threshold. From A to C it takes 10 to 120
/// seconds. Where this differs from their program, the article "Nights" says so, with the reason.
///
/// Sources: D. W. Jung et al., Real-Time Automatic Apneic Event Detection Using Nocturnal Pulse Oximetry, IEEE
/// Transactions on Biomedical Engineering 65 (2018) 706–712; J. Levy et al., Digital oximetry biomarkers for assessing
/// respiratory function, npj Digital Medicine 4 (2021) 1.
struct FallFinder {
    /// The least depth, in percentage points.
    static let threshold = 3
    /// The shortest and the longest fall, in seconds.
    static let shortest = 10, longest = 120
    /// The longest time without a usable value within a fall, in seconds.
    static let bridged = 10
    /// A greater change from one value to the next is no change of the blood, in percentage points.
    static let greatestStep = 10

    private let values: [UInt8]
    private let interval: Int
    /// The falls, in the order of time.
    private(set) var falls: [NightFall] = []
    /// The falls that were deep enough when the values ended, for a gap or at the end of the night.
    private(set) var cut = 0

    /// Finds the falls.
    ///
    /// - Parameters:
    ///   - values: The saturations in percent, 0 for none that can be used.
    ///   - interval: Seconds from one to the next.
    init(_ values: [UInt8], interval: Int) {
        (self.values, self.interval) = (values, max(1, interval))
        var before: Int?
        var index = 0
        while index < values.count {
            guard values[index] != 0 else {
                index += 1
                continue
            }
            guard let start = before, isJoined(start, index), isStep(from: start, to: index) else {
                before = index
                index += 1
                continue
            }
            switch follow(from: start, index) {
            case .none:
                before = index
                index += 1
            case .fall(let fall):
                falls.append(fall)
                (before, index) = (fall.end, fall.end + 1)
            case .short(let end):
                (before, index) = (end, end + 1)
            case .cut(let last):
                cut += 1
                (before, index) = (last, last + 1)
            }
        }
    }

    private enum Outcome {
        /// No fall begins here.
        case none
        case fall(NightFall)
        /// It was up again too early, in this instant.
        case short(Int)
        /// The values ended in it; this was the last one.
        case cut(Int)
    }

    private func isJoined(_ one: Int, _ other: Int) -> Bool { (other - one - 1) * interval <= Self.bridged }

    private func isStep(from one: Int, to other: Int) -> Bool {
        let step = Int(values[one]) - Int(values[other])
        return step > 0 && step <= Self.greatestStep
    }

    /// The next value; `nil` after too long a gap.
    private func next(after index: Int) -> Int? {
        var place = index + 1
        while place < values.count, isJoined(index, place) {
            if values[place] != 0 { return place }
            place += 1
        }
        return nil
    }

    /// Follows the curve from the last value before it goes down.
    private func follow(from begin: Int, _ first: Int) -> Outcome {
        let level = Int(values[begin])
        var nadir = first
        while level - Int(values[nadir]) < Self.threshold {
            guard let place = next(after: nadir), values[place] <= values[nadir],
                (place - begin) * interval <= Self.longest
            else { return .none }
            nadir = place
        }
        var last = nadir
        while let place = next(after: last) {
            let seconds = (place - begin) * interval
            if seconds > Self.longest { return .none }
            let value = Int(values[place])
            if value >= level - 1 || value - Int(values[nadir]) >= Self.threshold {
                if seconds < Self.shortest { return .short(place) }
                return .fall(
                    NightFall(
                        begin: begin, nadir: nadir, end: place, level: values[begin], lowest: values[nadir]))
            }
            if values[place] <= values[nadir] { nadir = place }
            last = place
        }
        return .cut(last)
    }
}
