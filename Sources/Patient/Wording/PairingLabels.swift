import Base
import Vitals

/// The texts of a pairing: the state, the large digits, and the keys.
package struct PairingLabels {
    /// The state and the next step, in sentences.
    package var text: String
    /// The digits or the text in large; may be empty.
    package var large = ""
    /// What the keys do.
    package var keys: String

    /// Finds the text for a state of the pairing.
    ///
    /// - Parameters:
    ///   - pairing: The state.
    ///   - typed: The typed part of an answer.
    package init(_ pairing: PairingState, typed: String) {
        keys = "Esc cancel"
        switch pairing {
        case .needed(let reason): text = sanitized(reason, limit: 200)
        case .started: text = "Pairing. Keep the sensor near and awake."
        case .passkey(let digits, let entered):
            text = "Type these digits on the sensor" + (entered > 0 ? " (\(entered) of 6 typed)." : ".")
            large = sanitized(digits, limit: 6)
        case .pinCode(let code):
            text = "Type this on the sensor."
            large = sanitized(code, limit: 16)
        case .confirmPasskey(let digits):
            text = "Does the sensor show the same digits?"
            large = sanitized(digits, limit: 6)
            keys = "y yes  n no  Esc cancel"
        case .authorize:
            text = "Pair with this sensor? Nothing can be compared, so be sure that it is the one in front of you."
            keys = "y yes  n no  Esc cancel"
        case .passkeyWanted:
            text = "Type the six digits that the sensor shows."
            large = typed + String(repeating: "-", count: max(0, 6 - typed.utf8.count))
            keys = typed.utf8.count == 6 ? "Enter confirm  Esc cancel" : "0-9 type  Esc cancel"
        case .pinCodeWanted:
            text = "Type the code of the sensor; its manual or label shows it."
            large = typed
            keys = "Enter confirm  Esc cancel"
        case .succeeded:
            text = "The sensor is paired, and is being connected."
            keys = "Enter close"
        case .failed(let reason):
            text = sanitized(reason, limit: 300)
            keys = "Enter close"
        }
    }

    /// Whether all of ``large`` can be drawn in large digits.
    package var isDrawnLarge: Bool {
        !large.isEmpty && large.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
