import BlueZ
import Vitals

/// How far the pairing with one sensor is; used on the supervisor's loop only.
struct SensorPairing {
    /// What was told last.
    var told: PairingState?
    /// Whether a pairing is under way.
    var isUnderWay = false
    /// Whether the user has given it up.
    var isCancelled = false
    /// Whether the sensor has to be heard before it can be paired.
    var awaitsDiscovery = false
    /// Who waits for that.
    var heard: CheckedContinuation<Bool, Never>?
    /// Whether the user is asked something.
    var isAsking = false
    /// The user's answer, where it is there before somebody waits for it.
    var answer: PairingAnswer?
    /// Who waits for the user's answer.
    var question: CheckedContinuation<PairingAnswer, Never>?
    /// Recognises a bond that the sensor has forgotten.
    var bondWatch = StaleBondWatch()
    /// The address that the sensor goes by from now on, if it was told to have changed.
    var movedTo: BluetoothAddress?
    /// Whether BlueZ says that the sensor is paired.
    var isPaired = false

    /// Whether nothing is to be told of a need any more, for the user is at it, or has been told already.
    var isNeedKnown: Bool {
        if isUnderWay { return true }
        if case .needed? = told { return true }
        return false
    }
}

extension PairingState {
    /// The state that a prompt puts a pairing into; `nil` where nobody is asked.
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
