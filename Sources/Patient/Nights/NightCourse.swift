import Base
import Vitals

/// One night of one oximeter as an even grid: of its own file, of readings recorded live, or of both.
///
/// No instant is counted twice. Several oximeters of one night have a course each, because their values are never averaged.
public struct NightCourse: Hashable, Sendable {
    /// The oximeter, under its newest name.
    public var sensor: SensorIdentity
    /// The period that is looked at, from noon to noon, as wall times in milliseconds since 1970 (UTC).
    public var window: Range<Int64>
    /// When the first instant begins, in milliseconds since 1970 (UTC).
    public var start: Int64
    /// Seconds from one instant to the next, 1 to 60.
    public var interval: Int
    /// When the instant after the last one begins, in milliseconds since 1970 (UTC).
    public private(set) var end: Int64
    /// From the first that was recorded to the last; none where only the figures are wanted.
    public var instants: [NightInstant]
    /// The names of the files that some of the instants come from.
    public var files: [String]
    /// The names of imported files that some of the instants come from.
    public var imports: [String]
    /// Whether some of the instants were recorded live.
    public var hasLive: Bool

    /// From this movement on, in the maker's steps (0 to 63, or 0 to 255), a saturation is not used.
    ///
    /// No maker publishes the scale: this is a choice, well above what a sleeper who lies still has.
    public static let movementLimit: UInt8 = 20

    init(
        sensor: SensorIdentity, window: Range<Int64>, start: Int64, interval: Int, instants: [NightInstant],
        files: [String] = [], imports: [String] = [], hasLive: Bool = false
    ) {
        (self.sensor, self.window, self.start, self.interval) = (sensor, window, start, interval)
        (self.instants, self.files, self.imports, self.hasLive) = (instants, files, imports, hasLive)
        end = start
        end = wall(of: instants.count)
    }

    /// When an instant begins, in milliseconds since 1970 (UTC).
    public func wall(of index: Int) -> Int64 {
        start.addingSaturated(Int64(index).multipliedSaturated(by: Int64(interval) * 1000))
    }

    /// The instant of a wall time; `nil` outside.
    public func index(of wall: Int64) -> Int? {
        let offset = wall.subtractingSaturated(start)
        guard offset >= 0 else { return nil }
        let index = offset / (Int64(interval) * 1000)
        return index < Int64(instants.count) ? Int(index) : nil
    }

    /// Whether it has what another night says, so that both are one: nearly every value at its time, or an instant beside it.
    ///
    /// Two oximeters of one patient differ by more, and so do short stretches of any two.
    public func contains(_ night: StoredNight) -> Bool {
        var (compared, equal) = (0, 0)
        for (place, sample) in night.samples.enumerated() {
            guard let saturation = sample.saturation else { continue }
            compared += 1
            guard let index = index(of: night.start(of: place)) else { continue }
            let isThere = (max(0, index - 1)...min(index + 1, instants.count - 1)).contains { near in
                instants[near].saturation == saturation
                    && (sample.pulseRate == nil || instants[near].pulseRate == sample.pulseRate)
            }
            if isThere { equal += 1 }
        }
        return compared >= Self.fewestCompared && equal * 100 >= compared * 95
    }

    private static let fewestCompared = 60

    /// A stretch of instants without a gap in the reason why they are left out, or that they are not.
    public struct Stretch: Hashable, Sendable {
        public var instants: Range<Int>
        public var exclusion: NightExclusion?
    }

    /// The stretches that are left out, in the order of time.
    public var excluded: [Stretch] {
        var stretches: [Stretch] = []
        for (index, instant) in instants.enumerated() {
            let exclusion = instant.isUsable ? nil : instant.exclusion ?? .noMeasurement
            guard let exclusion else { continue }
            if let last = stretches.last, last.instants.upperBound == index, last.exclusion == exclusion {
                stretches[stretches.count - 1].instants = last.instants.lowerBound..<index + 1
            } else {
                stretches.append(Stretch(instants: index..<index + 1, exclusion: exclusion))
            }
        }
        return stretches
    }
}
