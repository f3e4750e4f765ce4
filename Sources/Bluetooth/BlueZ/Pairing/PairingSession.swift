import DBus

/// A pairing in progress, as seen by our agent; used on the loop only.
final class PairingSession {
    /// The daemon that may call our agent.
    let daemon: String
    /// The peripheral that is paired.
    let device: ObjectPath
    /// Where our agent is.
    let agent: ObjectPath
    /// Answers the prompts.
    let answer: @Sendable (PairingPrompt) async -> PairingAnswer
    /// The prompt that waits for its answer.
    private var pending: Task<PairingAnswer, Never>?
    /// Whether the user said no.
    private var isDeclined = false
    /// Whether ``BluetoothCentral/cancelPairing(_:)`` was called, or the caller's task was cancelled.
    private(set) var isCancelled = false
    /// Whether the peripheral was not reached in time.
    private var isUnreached = false
    /// When the user was asked or shown something last, in monotonic nanoseconds.
    private var promptedAt: Int64?

    /// How long a prompt must stay unanswered before a failure is attributed to that, in nanoseconds.
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

    /// Gives the pairing up, because the user or the caller wants so.
    func cancel() {
        isCancelled = true
        end()
    }

    /// Records that the peripheral was not reached in time.
    func recordUnreached() { isUnreached = true }

    /// Records that the user is asked or shown something now, in monotonic nanoseconds.
    func recordPrompt(at now: Int64) { promptedAt = now }

    /// Records that the answer was no or invalid.
    func recordRefusal() { isDeclined = true }

    /// Waits for the answer to a prompt, instead of any before it.
    func wait(for pending: Task<PairingAnswer, Never>) {
        end()
        self.pending = pending
    }

    /// Records that the prompt was answered.
    func recordAnswer() { pending = nil }

    /// Ends all waiting for an answer.
    func end() {
        pending?.cancel()
        pending = nil
    }

    /// What a failure was, in the light of what happened at the agent.
    ///
    /// Quirk pair-says-cancelled: BlueZ answers `AuthenticationCanceled` also after a time-out and when the link fell,
    /// and `AuthenticationFailed` when we said no.
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
