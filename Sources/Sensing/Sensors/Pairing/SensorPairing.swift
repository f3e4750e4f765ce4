import Base
import BlueZ
import Vitals

/// The progress of the pairing with one sensor; used on the supervisor's loop only.
struct SensorPairing {
    private enum Stage {
        case idle
        case underWay
        /// The sensor must be heard before it can be paired; a caller may already be waiting.
        case searching(CheckedContinuation<Bool, Never>?)
        /// The user has cancelled it, and it ends soon.
        case cancelled
    }

    /// A question to the user.
    private enum Question {
        case none
        case asked
        /// The answer arrived before the caller waited for it.
        case answered(PairingAnswer)
        case awaited(CheckedContinuation<PairingAnswer, Never>)
    }

    /// The last reported state.
    private(set) var reported: PairingState?
    private var stage = Stage.idle
    private var question = Question.none
    /// Detects a bond that the sensor has forgotten.
    var bondWatch = StaleBondWatch()
    /// The new address of the sensor, if it has changed.
    var movedTo: BluetoothAddress?
    /// Whether BlueZ reports the sensor as paired.
    var isPaired = false

    /// Whether a pairing is under way.
    var isUnderWay: Bool { if case .idle = stage { false } else { true } }

    /// Whether the user has cancelled the present pairing.
    var isCancelled: Bool { if case .cancelled = stage { true } else { false } }

    /// Whether the sensor must be heard before it can be paired.
    var awaitsDiscovery: Bool { if case .searching = stage { true } else { false } }

    /// Whether the user has an open question.
    var isAsking: Bool {
        switch question {
        case .asked, .awaited: true
        case .none, .answered: false
        }
    }

    /// Whether the need for pairing is known, or pairing is in progress.
    var isNeedKnown: Bool {
        if isUnderWay { return true }
        if case .needed? = reported { return true }
        return false
    }

    /// Records a state to report; returns whether it is new.
    mutating func report(_ state: PairingState) -> Bool {
        defer { reported = state }
        return reported != state
    }

    // MARK: From the beginning to the end

    mutating func begin() { stage = .underWay }

    mutating func end() { stage = .idle }

    /// Cancels the present pairing and everything that it waits for.
    mutating func cancel() {
        give(.no)
        endSearch(isHeard: false)
        if isUnderWay { stage = .cancelled }
    }

    // MARK: The search

    /// Begins to wait until the sensor is heard, unless the pairing was cancelled.
    mutating func beginSearch() {
        if !isCancelled { stage = .searching(nil) }
    }

    /// Waits for the end of the search.
    mutating func awaitSearch(_ continuation: CheckedContinuation<Bool, Never>) {
        if awaitsDiscovery { stage = .searching(continuation) } else { continuation.resume(returning: false) }
    }

    /// Ends the search and resumes its caller.
    mutating func endSearch(isHeard: Bool) {
        guard case .searching(let continuation?) = stage else { return }
        stage = .underWay
        continuation.resume(returning: isHeard)
    }

    // MARK: The question

    /// Shows the user a question or a text; replaces any earlier one.
    mutating func ask(_ prompt: PairingPrompt) {
        give(.no)
        question = prompt.isDisplay ? .none : .asked
    }

    /// Answers the user's open question, if any.
    mutating func give(_ answer: PairingAnswer) {
        switch question {
        case .none, .answered: break
        case .asked: question = .answered(answer)
        case .awaited(let continuation):
            question = .none
            continuation.resume(returning: answer)
        }
    }

    /// Waits for the user's answer; a withdrawn question is answered with no.
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
    /// The answer of a user's reply to a question; `nil` for text that does not fit.
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

/// Detects a sensor that has lost the key of its bond, by how its links end.
///
/// Quirk stale-bond: the link is lost as soon as encryption starts, some 0.2 s after it was made and before the
/// services are known, while BlueZ still reports the sensor as paired. `Connect` still succeeds.
struct StaleBondWatch: Hashable, Sendable {
    /// The longest duration of such a link.
    private static let fallsWithin = Duration.seconds(5)
    /// The number of consecutive links that must be lost in this way; a single one may be a weak radio.
    private static let enough = 2

    private var linkBegan: Moment?
    private var fallen = 0

    mutating func linkUp(at moment: Moment) {
        linkBegan = moment
    }

    /// Records that the services are known, so that the key is correct.
    mutating func servicesResolved() {
        linkBegan = nil
        fallen = 0
    }

    /// Handles the end of a link; returns whether the bond is stale.
    ///
    /// - Parameters:
    ///   - isPaired: Whether BlueZ reports the sensor as paired.
    ///   - moment: When.
    mutating func linkDown(isPaired: Bool, at moment: Moment) -> Bool {
        guard let began = linkBegan else { return false }
        linkBegan = nil
        guard isPaired, moment.since(began) <= Self.fallsWithin else {
            fallen = 0
            return false
        }
        fallen += 1
        return fallen >= Self.enough
    }
}
