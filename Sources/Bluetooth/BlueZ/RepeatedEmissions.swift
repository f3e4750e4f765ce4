import EventLoops

/// Tells a characteristic's samples from the copies that the daemon makes of them.
///
/// Quirk values-for-every-client: each value is signalled once for every client that has a notify session, to all of
/// them, one right after the other. Octets alone do not distinguish a copy from a sensor that sends the same value
/// again, and neither does time, for several notifications may come in one connection event. Two things do:
///
/// * No client can begin or end a session without an answer of the daemon, or a call to the bus about a client that left.
///   We do not get that message, but its number is missing in our sequence. So between two such gaps the number of
///   copies does not change.
/// * After a gap the first value shows that number: how many times the same octets come with consecutive numbers in
///   next to no time, while a sensor's next value is of another connection event, at least 7.5 ms later.
///
/// More than ``limit`` equal values in a row are a sensor's burst, not as many programs; they are then released.
struct RepeatedEmissions {
    /// The octets of a value that was held back, and when it came.
    struct Emission: Hashable {
        let octets: [UInt8]
        let timestamp: Timestamp
    }

    /// What an emission is.
    enum Verdict: Hashable {
        /// A sample.
        case sample
        /// A copy of a sample, or perhaps one.
        case copy
        /// A sample, like these before it, which seemed to be copies.
        case burst([Emission])
    }

    /// The greatest number of sessions that is believed.
    static let limit = 8
    /// The longest time between two copies of one value on a computer that has little else to do.
    static let copyNanoseconds: Int64 = 5_000_000
    /// The longest time between two copies of one value at all.
    static let lateCopyNanoseconds: Int64 = 50_000_000

    /// How many times each value is signalled; `nil` while that is not known.
    private(set) var copies: Int?
    /// How many emissions of the present value have come.
    private var count = 0
    /// Whether ``count`` may have left out copies that came before.
    private var isDoubtful = false
    private var octets: [UInt8] = []
    private var serial: UInt32 = 0
    private var nanoseconds: Int64 = 0
    private var gaps: Int
    private var held: [Emission] = []

    /// Starts with unknown other listeners.
    init(gaps: Int) {
        self.gaps = gaps
    }

    /// Records that no other program listens; returns the values held back.
    mutating func begin(alone gaps: Int) -> [Emission] {
        defer { self = RepeatedEmissions(gaps: gaps, copies: 1) }
        return held
    }

    private init(gaps: Int, copies: Int) {
        self.gaps = gaps
        self.copies = copies
    }

    /// Evaluates an emission.
    ///
    /// - Parameters:
    ///   - octets: The value.
    ///   - serial: The number of its message.
    ///   - gaps: How many times the daemon has sent something past us until now.
    ///   - timestamp: When it came.
    mutating func handle(_ octets: [UInt8], serial: UInt32, gaps: Int, at timestamp: Timestamp) -> Verdict {
        if gaps != self.gaps { self = RepeatedEmissions(gaps: gaps) }
        // Nearly always, and then nothing is kept or compared.
        if copies == 1 { return .sample }
        let nanoseconds = timestamp.monotonicNanoseconds
        defer {
            self.octets = octets
            self.serial = serial
            self.nanoseconds = nanoseconds
        }
        let follows = count > 0 && serial == self.serial &+ 1 && octets == self.octets
        let pause = nanoseconds &- self.nanoseconds
        guard let copies else { return evaluate(octets, follows: follows, pause: pause, at: timestamp) }
        if count == copies {
            count = 1
            return .sample
        }
        if follows, pause < Self.lateCopyNanoseconds {
            count += 1
            return .copy
        }
        // It is repeated less often than the first value made believe.
        self.copies = nil
        count = 1
        return .sample
    }

    /// Evaluates an emission while the number of copies is not known.
    private mutating func evaluate(
        _ octets: [UInt8], follows: Bool, pause: Int64, at timestamp: Timestamp
    ) -> Verdict {
        if follows, pause <= Self.copyNanoseconds {
            count += 1
            if count <= Self.limit {
                held.append(Emission(octets: octets, timestamp: timestamp))
                return .copy
            }
            defer { self = RepeatedEmissions(gaps: gaps, copies: 1) }
            return .burst(held)
        }
        // A late copy, or a quick sensor: the next value will show.
        let isUndecided = follows && pause < Self.lateCopyNanoseconds
        if count > 0, !isUndecided, !isDoubtful { copies = count }
        isDoubtful = isUndecided
        held = []
        count = 1
        return .sample
    }
}
