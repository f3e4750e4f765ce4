import Base
import Monitoring
import Vitals

/// Merges what is known of one oximeter's night into one course: its file where that has samples, readings elsewhere.
///
/// A value recorded live counts until the next report of its vital, but for 15 seconds at most, as in every other figure
/// (``SummaryBuilder``).
public struct NightBuilder: Sendable {
    private let window: Range<Int64>
    private var sensor: SensorIdentity
    private var nights: [StoredNight] = []
    private var live: LiveNight?

    /// - Parameters:
    ///   - window: The period that is looked at, as wall times in milliseconds since 1970 (UTC); two days at most.
    ///   - sensor: The oximeter.
    public init(of window: Range<Int64>, sensor: SensorIdentity) {
        let end = min(window.upperBound, window.lowerBound.addingSaturated(2 * 86_400_000))
        (self.window, self.sensor) = (window.lowerBound..<max(window.lowerBound, end), sensor)
    }

    /// Adds a night that the oximeter stored, or an imported one.
    public mutating func add(_ night: StoredNight) {
        nights.append(night)
        // A file has the newest name only if nothing came live.
        if live == nil { sensor = night.sensor }
    }

    /// Adds a report that came live, in the order of time.
    ///
    /// - Parameters:
    ///   - vital: Saturation, pulse rate or perfusion index; any other is ignored.
    ///   - outcome: The value or why there is none.
    ///   - wall: When it came, in milliseconds since 1970 (UTC).
    ///   - sensor: The oximeter, under the name that it had then.
    public mutating func add(_ vital: Vital, _ outcome: Reading.Outcome, at wall: Int64, from sensor: SensorIdentity) {
        guard window.contains(wall) else { return }
        if live == nil { live = LiveNight(window) }
        self.sensor = sensor
        live?.add(vital, outcome, at: wall)
    }

    /// The course; `nil` where nothing of a saturation is known.
    public func course() -> NightCourse? {
        let found = nights.filter { $0.range.overlaps(window) && !$0.samples.isEmpty }
        if live == nil, found.count == 1 { return course(of: found[0]) }
        var instants = live?.finished() ?? []
        if instants.isEmpty {
            guard !found.isEmpty else { return nil }
            instants = [NightInstant](repeating: .gap, count: LiveNight.count(of: window))
        }
        // The last one wins, so the most trustworthy comes last; of two files the first.
        let ordered = found.enumerated().sorted {
            ($0.element.origin, -$0.offset) < ($1.element.origin, -$1.offset)
        }
        for (_, night) in ordered { Self.put(night, into: &instants, from: window.lowerBound) }
        return course(of: instants, found)
    }

    /// The night as its file has it, clipped to the window.
    private func course(of night: StoredNight) -> NightCourse? {
        let night = night.clipped(to: window)
        guard !night.samples.isEmpty else { return nil }
        return NightCourse(
            sensor: night.sensor, window: window, start: night.start, interval: night.interval,
            instants: night.samples.map { NightInstant($0, night.origin) },
            files: night.importedFrom == nil ? [night.name] : [], imports: night.importedFrom.map { [$0] } ?? [])
    }

    private static func put(_ night: StoredNight, into instants: inout [NightInstant], from start: Int64) {
        for (place, sample) in night.samples.enumerated() {
            let wall = night.start.addingSaturated(Int64(place) * Int64(night.interval) * 1000)
            let first = wall.subtractingSaturated(start) / 1000
            guard wall >= start, first < instants.count else { continue }
            let instant = NightInstant(sample, night.origin)
            for index in Int(first)..<min(instants.count, Int(first) + night.interval) {
                // The file knows only that there is no value; the readings may know why.
                if instant.saturation == nil, let reason = instants[index].exclusion, instants[index].origin == .live,
                    reason != .gap
                {
                    instants[index].origin = night.origin
                    continue
                }
                instants[index] = instant
            }
        }
    }

    private func course(of instants: [NightInstant], _ found: [StoredNight]) -> NightCourse? {
        guard let first = instants.firstIndex(where: { $0.origin != .nowhere }),
            let last = instants.lastIndex(where: { $0.origin != .nowhere })
        else { return nil }
        // On the grid of the files, if they have one: a sample that is held over seconds would make falls shorter.
        let intervals = Set(found.map(\.interval))
        let step = intervals.count == 1 ? found[0].interval : 1
        let phase = found.first.map { Int(clamping: $0.start.subtractingSaturated(window.lowerBound) / 1000) } ?? 0
        let begin = first + ((phase - first) % step + step) % step
        let chosen = stride(from: begin, through: last, by: step).map { instants[$0] }
        guard !chosen.isEmpty else { return nil }
        let origins = Set(chosen.map(\.origin))
        return NightCourse(
            sensor: sensor, window: window, start: window.lowerBound.addingSaturated(Int64(begin) * 1000),
            interval: step, instants: chosen,
            files: origins.contains(.stored) ? found.filter { $0.importedFrom == nil }.map(\.name) : [],
            imports: origins.contains(.imported) ? found.compactMap(\.importedFrom) : [],
            hasLive: origins.contains(.live))
    }
}

extension StoredNight {
    fileprivate var origin: NightOrigin { importedFrom == nil ? .stored : .imported }
}

extension NightInstant {
    /// What a file has of an instant.
    init(_ sample: NightSample, _ origin: NightOrigin) {
        let isMoved = sample.movement.map { $0 >= NightCourse.movementLimit && $0 != .max } ?? false
        self.init(
            saturation: sample.saturation.flatMap { (1...100).contains($0) ? $0 : nil }, pulseRate: sample.pulseRate,
            movement: sample.movement, exclusion: nil, origin: origin)
        if saturation == nil { exclusion = .noMeasurement } else if isMoved { exclusion = .movement }
    }
}

/// What came live, second by second.
private struct LiveNight {
    private let start: Int64
    private var instants: [NightInstant]
    private var saturation: Held?
    private var pulse: Held?
    private var weakSince: Held?

    /// A report that counts until the next one.
    private struct Held {
        var second: Int
        var value: UInt16
        var exclusion: NightExclusion?
    }

    static func count(of window: Range<Int64>) -> Int {
        Int(clamping: window.upperBound.subtractingSaturated(window.lowerBound) / 1000)
    }

    init(_ window: Range<Int64>) {
        start = window.lowerBound
        instants = [NightInstant](repeating: .gap, count: Self.count(of: window))
    }

    mutating func add(_ vital: Vital, _ outcome: Reading.Outcome, at wall: Int64) {
        let second = Int(clamping: wall.subtractingSaturated(start) / 1000)
        switch vital {
        case .oxygenSaturation:
            settleSaturation(before: second)
            saturation = Self.saturation(outcome, at: second)
        case .pulseRate:
            settlePulse(before: second)
            pulse = nil
            if case .measured(let value, let quality) = outcome, quality.countsInFigures {
                pulse = Held(second: second, value: UInt16(clamping: value.roundedToWhole))
            }
        case .perfusionIndex:
            settleWeakness(before: second)
            weakSince = nil
            if case .measured(let value, _) = outcome, value < PulseStrength.weak {
                weakSince = Held(second: second, value: 0)
            }
        default: break
        }
    }

    private static func saturation(_ outcome: Reading.Outcome, at second: Int) -> Held {
        switch outcome {
        case .measured(let value, let quality):
            Held(
                second: second, value: UInt16(min(max(value.roundedToWhole, 0), 100)),
                exclusion: quality.isQuestionable ? .doubtful : nil)
        case .noMeasurement(let reason):
            Held(second: second, value: 0, exclusion: reason.nightExclusion)
        }
    }

    private func range(_ held: Held, before second: Int) -> Range<Int> {
        let end = min(second, held.second + Int(SummaryBuilder.longestStanding / 1000), instants.count)
        return held.second..<max(held.second, end)
    }

    private mutating func settleSaturation(before second: Int) {
        guard let held = saturation else { return }
        for index in range(held, before: second) {
            instants[index] = NightInstant(
                saturation: UInt8(held.value), pulseRate: instants[index].pulseRate,
                exclusion: held.exclusion ?? (held.value == 0 ? .noMeasurement : nil), origin: .live)
        }
    }

    private mutating func settlePulse(before second: Int) {
        guard let held = pulse else { return }
        for index in range(held, before: second) { instants[index].pulseRate = held.value }
    }

    private mutating func settleWeakness(before second: Int) {
        guard let held = weakSince else { return }
        weak.append(range(held, before: second))
    }

    /// When the perfusion index was too low; its values come after those that they are about.
    private var weak: [Range<Int>] = []

    func finished() -> [NightInstant] {
        var copy = self
        copy.settleSaturation(before: .max)
        copy.settlePulse(before: .max)
        copy.settleWeakness(before: .max)
        for index in copy.weak.joined() where copy.instants[index].isUsable {
            copy.instants[index].exclusion = .weakPulse
        }
        return copy.instants
    }
}

extension VitalValue {
    /// The value in whole units, half up.
    fileprivate var roundedToWhole: Int { hundredths.addingSaturated(50) / 100 }
}

extension AbsenceReason {
    fileprivate var nightExclusion: NightExclusion {
        switch self {
        case .offBody, .noContact: .offBody
        case .lowPerfusion: .weakPulse
        default: .noMeasurement
        }
    }
}
