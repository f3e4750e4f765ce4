import EventLoops

/// Distinguishes a characteristic's samples from the copies that the daemon makes of them.
///
/// Quirk values-for-every-client: each value is signalled once for every client that has a notify session, to all of
/// them, one right after the other. Octets alone do not distinguish a copy from a sensor that sends the same value
/// again; neither does time, because several notifications may arrive in one connection event. Two facts do:
///
/// * No client can begin or end a session without an answer of the daemon, or a call to the bus about a client that left.
///   This program does not receive that message, but its serial is missing in the sequence. So between two such gaps the
///   number of copies does not change.
/// * After a gap the first value shows that number: the same octets arrive that often with consecutive serials within a
///   few milliseconds, while a sensor's next value belongs to another connection event, at least 7.5 ms later.
///
/// More than ``limit`` equal values in a row are a sensor's burst, not copies for as many programs; they are then released.
struct RepeatedEmissions {
    /// The octets and time of a held value.
    struct Emission: Hashable {
        let octets: [UInt8]
        let timestamp: Timestamp
    }

    /// The meaning of an emission.
    enum Verdict: Hashable {
        /// A sample.
        case sample
        /// A copy of a sample, or possibly one.
        case copy
        /// A sample, as the earlier ones that were taken for copies.
        case burst([Emission])
    }

    /// The greatest assumed number of sessions.
    static let limit = 8
    /// Upper bound between copies of one value, on an idle system.
    static let copyNanoseconds: Int64 = 5_000_000
    /// Upper bound between copies of one value, on a loaded system.
    static let lateCopyNanoseconds: Int64 = 50_000_000

    /// The number of copies of each value; `nil` while unknown.
    private(set) var copies: Int?
    /// The number of received emissions of the present value.
    private var count = 0
    /// Whether ``count`` may lack earlier copies.
    private var isDoubtful = false
    private var octets: [UInt8] = []
    private var serial: UInt32 = 0
    private var nanoseconds: Int64 = 0
    private var gaps: Int
    private var held: [Emission] = []

    /// Starts with an unknown number of other listeners.
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
    ///   - serial: The serial of its message.
    ///   - gaps: The number of messages from the daemon to other programs until now.
    ///   - timestamp: When it arrived.
    mutating func handle(_ octets: [UInt8], serial: UInt32, gaps: Int, at timestamp: Timestamp) -> Verdict {
        if gaps != self.gaps { self = RepeatedEmissions(gaps: gaps) }
        // The usual case: nothing is kept or compared.
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
        // There are fewer copies than the first value suggested.
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
