/// Decides when a client connects, and how long it waits after a failure: longer each time, and by chance.
///
/// Chance, because two hundred clients lose a broker at one moment, and must not all come back at one moment.
struct ReconnectionSchedule: Hashable {
    /// What the client does.
    enum Phase: Hashable {
        /// Nothing, until it is started.
        case stopped
        /// It waits until a monotonic time.
        case waiting(until: Int64)
        /// It is connecting, until this monotonic time at the latest.
        case connecting(until: Int64)
        /// It is connected.
        case connected
    }

    private(set) var phase = Phase.stopped
    private var failures = 0
    /// When the connection was made, in monotonic nanoseconds.
    private var connectedAt: Int64 = 0

    /// How long the broker may take to answer, in nanoseconds.
    static let answerLimit: Int64 = 10_000_000_000
    /// The longest wait after the first failure, doubled with each further one up to the bound, in nanoseconds.
    static let (firstDelay, longestDelay): (Int64, Int64) = (1_000_000_000, 6_000_000_000)
    /// How long a connection must hold before a failure counts as the first one, in nanoseconds.
    static let proof: Int64 = 10_000_000_000

    /// When something is due; `nil` for never.
    var due: Int64? {
        switch phase {
        case .waiting(let time), .connecting(let time): time
        case .stopped, .connected: nil
        }
    }

    /// Connects now.
    mutating func begin(now: Int64) {
        phase = .connecting(until: now + Self.answerLimit)
    }

    /// The broker has accepted the client.
    mutating func connected(now: Int64) {
        (phase, connectedAt) = (.connected, now)
    }

    /// The attempt failed, or the connection was lost.
    mutating func failed(now: Int64, using random: inout some RandomNumberGenerator) {
        guard phase != .stopped else { return }
        if phase == .connected, now - connectedAt >= Self.proof { failures = 0 }
        let longest = min(Self.longestDelay, Self.firstDelay << Int64(failures))
        failures = min(failures + 1, 10)
        phase = .waiting(until: now + Int64.random(in: longest / 4...longest, using: &random))
    }

    /// Connects no more.
    mutating func stop() {
        phase = .stopped
    }
}
