import DBus

/// A pairing in progress, as seen by our agent; used on the loop only.
final class PairingSession {
    /// The daemon that may call the agent.
    let daemon: String
    /// The peripheral that is paired.
    let device: ObjectPath
    let agent: ObjectPath
    let answer: @Sendable (PairingPrompt) async -> PairingAnswer
    /// The prompt that waits for its answer.
    private var pending: Task<PairingAnswer, Never>?
    /// Whether the user said no.
    private var isDeclined = false
    /// Whether ``BluetoothCentral/cancelPairing(_:)`` was called, or the caller's task was cancelled.
    private(set) var isCancelled = false
    /// Whether the peripheral was not reached in time.
    private var isUnreached = false
    /// When the last prompt was shown, in monotonic nanoseconds.
    private var promptedAt: Int64?

    /// The age of an unanswered prompt from which a failure is attributed to it, in nanoseconds.
    ///
    /// The two sides give up after 30 s (Core Specification, Vol 3 Part H, 3.4).
    private static let lateness: Int64 = 28_000_000_000

    init(
        daemon: String, device: ObjectPath, agent: ObjectPath,
        answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) {
        self.daemon = daemon
        self.device = device
        self.agent = agent
        self.answer = answer
    }

    /// Cancels the pairing.
    func cancel() {
        isCancelled = true
        end()
    }

    /// Records that the peripheral was not reached in time.
    func recordUnreached() { isUnreached = true }

    /// Records that a prompt is shown now, in monotonic nanoseconds.
    func recordPrompt(at now: Int64) { promptedAt = now }

    /// Records that the answer was no or invalid.
    func recordRefusal() { isDeclined = true }

    /// Waits for the answer to a prompt; replaces any earlier one.
    func wait(for pending: Task<PairingAnswer, Never>) {
        end()
        self.pending = pending
    }

    /// Records that the prompt was answered.
    func recordAnswer() { pending = nil }

    /// Cancels the pending prompt.
    func end() {
        pending?.cancel()
        pending = nil
    }

    /// The reason of a failure, from the daemon's error and the agent's calls.
    ///
    /// Quirk pair-says-cancelled: BlueZ answers `AuthenticationCanceled` also after a time-out and a lost link, and
    /// `AuthenticationFailed` when this side refused.
    ///
    /// - Parameter now: Monotonic nanoseconds.
    func failure(_ error: BlueZError, at now: Int64) -> PairingError {
        let isLate = promptedAt.map { now - $0 >= Self.lateness } ?? false
        let plain = PairingError(error)
        if isUnreached, !isCancelled { return PairingError(.connectionFailed, error) }
        switch plain.reason {
        case .authenticationFailed where isDeclined: return PairingError(.declined, error)
        case .authenticationCanceled where isLate && !isCancelled: return PairingError(.authenticationTimeout, error)
        case .authenticationCanceled where !isCancelled: return PairingError(.linkLost, error)
        default: return plain
        }
    }
}
