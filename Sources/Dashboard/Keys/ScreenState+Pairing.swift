import Monitoring
import Vitals

extension ScreenState {
    /// The sensor whose pairing takes the screen; `nil` when none does.
    func pairedSensor(in state: MonitorState) -> SensorState? {
        state.sensors.first { sensor in
            guard let pairing = sensor.pairing, pairing.isOnScreen else { return false }
            return closedPairings[sensor.identity.address] != pairing
        }
    }

    /// Handles a key while a pairing takes the screen.
    ///
    /// Esc gives the pairing up, or closes what it came to. Alarms can be acknowledged meanwhile, except where `a` is a
    /// letter of what is typed.
    mutating func keyPressedInPairing(_ key: Key, _ sensor: SensorState) -> Intent? {
        guard let pairing = sensor.pairing else { return nil }
        let address = sensor.identity.address
        switch pairing {
        case .needed: return nil
        case .succeeded, .failed:
            // Nothing is asked any more, so any key closes it, and quitting quits.
            closedPairings[address] = pairing
            if keys.command(for: key) == .quit { return .quit }
        case .passkeyWanted, .pinCodeWanted:
            let isDigits = pairing == .passkeyWanted
            if case .character(let scalar) = key, isDigits, !("0"..."9").contains(scalar) { break }
            var prompt = pairingPrompt ?? Self.prompt(for: pairing)
            let outcome = prompt.keyPressed(key)
            pairingPrompt = prompt
            switch outcome {
            case .accepted where isDigits ? prompt.text.utf8.count == 6 : !prompt.text.isEmpty:
                pairingPrompt = nil
                return .answerPairing(address: address, .text(prompt.text))
            case .cancelled:
                pairingPrompt = nil
                return .cancelPairing(address: address)
            default: return nil
            }
        case .confirmPasskey, .authorize:
            switch key {
            case .character("y"), .character("Y"): return .answerPairing(address: address, .yes)
            case .character("n"), .character("N"): return .answerPairing(address: address, .no)
            case .escape: return .cancelPairing(address: address)
            default: break
            }
        case .started, .passkey, .pinCode:
            if key == .escape { return .cancelPairing(address: address) }
        }
        return keys.command(for: key) == .acknowledge ? .acknowledge : nil
    }

    /// The line in which an answer is typed.
    static func prompt(for pairing: PairingState) -> TextPrompt {
        pairing == .passkeyWanted ? TextPrompt("Passkey", limit: 6) : TextPrompt("Code", limit: 16)
    }
}
