import Vitals

extension WatchEncoder {
    mutating func pairing(_ sensor: SensorIdentity, _ state: PairingState, _ moment: Moment) {
        begin("pairing", moment, sensor)
        switch state {
        case .needed(let reason):
            text("state", "needed")
            text("reason", reason)
        case .started: text("state", "started")
        case .passkey(let digits, let entered):
            text("state", "passkey")
            text("passkey", digits)
            number("entered", entered)
        case .pinCode(let code):
            text("state", "pin_code")
            text("pin_code", code)
        case .confirmPasskey(let digits):
            text("state", "confirm_passkey")
            text("passkey", digits)
        case .authorize: text("state", "authorize")
        case .passkeyWanted: text("state", "passkey_wanted")
        case .pinCodeWanted: text("state", "pin_code_wanted")
        case .succeeded: text("state", "succeeded")
        case .failed(let reason):
            text("state", "failed")
            text("reason", reason)
        }
        end()
    }
}
