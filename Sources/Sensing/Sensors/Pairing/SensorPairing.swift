import Base
import BlueZ
import Vitals

/// How far the pairing with one sensor is; used on the supervisor's loop only.
struct SensorPairing {
    private enum Stage {
        case idle
        case underWay
        /// The sensor must be heard before it can be paired; a request may already be waiting.
        case searching(CheckedContinuation<Bool, Never>?)
        /// The user has given it up, and it ends soon.
        case cancelled
    }

    /// What the user is asked.
    private enum Question {
        case none
        case asked
        /// The answer is there before somebody waits for it.
        case answered(PairingAnswer)
        case awaited(CheckedContinuation<PairingAnswer, Never>)
    }

    /// What was reported last.
    private(set) var reported: PairingState?
    private var stage = Stage.idle
    private var question = Question.none
    /// Recognises a bond that the sensor has forgotten.
    var bondWatch = StaleBondWatch()
    /// The address that the sensor goes by from now on, if it has changed.
    var movedTo: BluetoothAddress?
    /// Whether BlueZ says that the sensor is paired.
    var isPaired = false

    /// Whether a pairing is under way.
    var isUnderWay: Bool { if case .idle = stage { false } else { true } }

    /// Whether the user has given up the pairing that is under way.
    var isCancelled: Bool { if case .cancelled = stage { true } else { false } }

    /// Whether the sensor has to be heard before it can be paired.
    var awaitsDiscovery: Bool { if case .searching = stage { true } else { false } }

    /// Whether the user is asked something.
    var isAsking: Bool {
        switch question {
        case .asked, .awaited: true
        case .none, .answered: false
        }
    }

    /// Whether the need for pairing is already known, or pairing is in progress.
    var isNeedKnown: Bool {
        if isUnderWay { return true }
        if case .needed? = reported { return true }
        return false
    }

    /// Records what is reported; returns whether it is news.
    mutating func report(_ state: PairingState) -> Bool {
        defer { reported = state }
        return reported != state
    }

    // MARK: From the beginning to the end

    mutating func begin() { stage = .underWay }

    mutating func end() { stage = .idle }

    /// Gives up the pairing that is under way, and all that is waited for.
    mutating func cancel() {
        give(.no)
        endSearch(isHeard: false)
        if isUnderWay { stage = .cancelled }
    }

    // MARK: The search

    /// The sensor must be heard from now on, unless the pairing was cancelled.
    mutating func beginSearch() {
        if !isCancelled { stage = .searching(nil) }
    }

    /// Waits for the end of the search.
    mutating func awaitSearch(_ continuation: CheckedContinuation<Bool, Never>) {
        if awaitsDiscovery { stage = .searching(continuation) } else { continuation.resume(returning: false) }
    }

    /// Ends the search that somebody waits for.
    mutating func endSearch(isHeard: Bool) {
        guard case .searching(let continuation?) = stage else { return }
        stage = .underWay
        continuation.resume(returning: isHeard)
    }

    // MARK: The question

    /// The user is asked something, or only shown something, instead of anything before.
    mutating func ask(_ prompt: PairingPrompt) {
        give(.no)
        question = prompt.isDisplay ? .none : .asked
    }

    /// Answers what the user is asked, if anything is.
    mutating func give(_ answer: PairingAnswer) {
        switch question {
        case .none, .answered: break
        case .asked: question = .answered(answer)
        case .awaited(let continuation):
            question = .none
            continuation.resume(returning: answer)
        }
    }

    /// Waits for the user's answer, which is no when the question was withdrawn.
    mutating func awaitAnswer(_ continuation: CheckedContinuation<PairingAnswer, Never>, isTakenBack: Bool) {
        switch question {
        case .answered(let answer):
            question = .none
            continuation.resume(returning: answer)
        case .asked where !isTakenBack && !isCancelled: question = .awaited(continuation)
        case .asked, .none:
            question = .none
            continuation.resume(returning: .no)
        case .awaited: continuation.resume(returning: .no)
        }
    }
}

extension PairingState {
    /// The pairing state of a prompt; `nil` when the user is not asked.
    init?(_ prompt: PairingPrompt) {
        switch prompt {
        case .displayPasskey(let digits, let entered): self = .passkey(digits, entered: entered)
        case .displayPinCode(let code): self = .pinCode(sanitized(code, limit: 16))
        case .confirmPasskey(let digits): self = .confirmPasskey(digits)
        case .authorize: self = .authorize
        case .enterPasskey: self = .passkeyWanted
        case .enterPinCode: self = .pinCodeWanted
        case .authorizeService: return nil
        }
    }
}

extension PairingAnswer {
    /// What a user's reply means for what was asked; `nil` for text that is no answer to it.
    init?(_ reply: PairingReply, to state: PairingState?) {
        switch (reply, state) {
        case (.no, _): self = .no
        case (.yes, .confirmPasskey), (.yes, .authorize): self = .yes
        case (.text(let text), .passkeyWanted):
            guard let passkey = PairingAnswer.passkey(typed: text) else { return nil }
            self = passkey
        case (.text(let text), .pinCodeWanted) where (1...16).contains(text.utf8.count): self = .pinCode(text)
        default: return nil
        }
    }
}
