import Base

/// Decides when a client connects, and how long it waits after a failure: longer each time, with a random part.
///
/// The random part keeps two hundred clients that lose a broker together from returning together.
struct ReconnectionSchedule: Hashable {
    enum Phase: Hashable {
        /// Not started.
        case stopped
        /// Waits until a monotonic time.
        case waiting(until: Int64)
        /// Connecting, until this monotonic time at the latest.
        case connecting(until: Int64)
        case connected
    }

    private(set) var phase = Phase.stopped
    private var backoff = Backoff(first: .seconds(1), last: .seconds(6))
    /// When the connection was made, in monotonic nanoseconds.
    private var connectedAt: Int64 = 0

    /// How long the broker may take to answer, in nanoseconds.
    static let answerLimit: Int64 = 10_000_000_000
    /// How long a connection must hold before a failure counts as the first one, in nanoseconds.
    static let proof: Int64 = 10_000_000_000

    /// When the next action is due; `nil` for never.
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

    /// Records that the broker has accepted the client.
    mutating func connected(now: Int64) {
        (phase, connectedAt) = (.connected, now)
    }

    /// Records that the attempt failed or the connection was lost.
    mutating func failed(now: Int64, using random: inout some RandomNumberGenerator) {
        guard phase != .stopped else { return }
        if phase == .connected, now - connectedAt >= Self.proof { backoff.reset() }
        let longest = backoff.next().nanoseconds
        phase = .waiting(until: now + Int64.random(in: longest / 4...longest, using: &random))
    }

    /// Stops connecting.
    mutating func stop() {
        phase = .stopped
    }
}
