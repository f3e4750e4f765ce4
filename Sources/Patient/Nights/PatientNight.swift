/// One night of the patient, from noon to noon: each oximeter with its course and figures.
public struct PatientNight: Hashable, Sendable {
    /// From noon to noon of local time, as wall times in milliseconds since 1970 (UTC).
    public var window: Range<Int64>
    /// The oximeters, the one with the longest usable time first.
    public var parts: [Part]

    /// One oximeter's night.
    public struct Part: Hashable, Sendable {
        public var course: NightCourse
        public var evaluation: NightEvaluation

        public init(_ course: NightCourse) {
            (self.course, evaluation) = (course, NightEvaluation(course))
        }

        /// The wall time at which an instant begins, in milliseconds since 1970 (UTC).
        public func wall(of instant: Int) -> Int64 { course.wall(of: instant) }
    }

    /// A shorter recording, in seconds, is a measurement, and no night that is shown without being asked for.
    public static let shortest = 1800

    /// How long after noon, in milliseconds, a night counts as the last one: until 18:00 that is the night before.
    public static let begin: Int64 = 6 * 3_600_000

    public init(window: Range<Int64>, courses: [NightCourse]) {
        self.window = window
        parts = courses.map { Part($0) }.enumerated().sorted {
            ($1.element.evaluation.usable, $0.offset) < ($0.element.evaluation.usable, $1.offset)
        }
        .map(\.element)
    }

    /// The night with its figures alone.
    public var withoutSamples: PatientNight {
        var night = self
        for place in night.parts.indices { night.parts[place].course.instants = [] }
        return night
    }

    /// Whether enough was recorded to be a night.
    public var isLongEnough: Bool { parts.contains { $0.evaluation.recorded >= Self.shortest } }
}
