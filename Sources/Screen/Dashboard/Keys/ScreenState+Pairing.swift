import Appearance
import Monitoring
import Vitals
import Wording

extension ScreenState {
    /// The sensor whose pairing takes the screen; `nil` for none.
    func pairedSensor(in state: MonitorState) -> SensorState? {
        // The page of alarms takes precedence: no pairing prevents an answer to an alarm.
        if pages.current == .alarms { return nil }
        return state.sensors.first { sensor in
            guard let pairing = sensor.pairing, pairing.isOnScreen else { return false }
            return !dialogs.isClosed(pairing, of: sensor.identity.address)
        }
    }

    /// Handles a key while a pairing takes the screen.
    ///
    /// Esc cancels the pairing, or closes its result. The keys for alarms still work, unless they are typed letters.
    mutating func keyPressedInPairing(_ key: Key, _ sensor: SensorState, in state: MonitorState) -> ScreenWish? {
        guard let pairing = sensor.pairing else { return nil }
        let address = sensor.identity.address
        switch pairing {
        case .needed: return nil
        case .succeeded, .failed:
            // No question is open, so any key closes it.
            dialogs.close(pairing, of: address)
        case .passkeyWanted, .pinCodeWanted:
            let isDigits = pairing == .passkeyWanted
            if case .character(let scalar) = key, isDigits, !("0"..."9").contains(scalar) { break }
            var prompt = dialogs.pairingPrompt ?? Self.prompt(for: pairing)
            let outcome = prompt.keyPressed(key)
            dialogs.pairingPrompt = prompt
            switch outcome {
            case .accepted where isDigits ? prompt.text.utf8.count == 6 : !prompt.text.isEmpty:
                dialogs.pairingPrompt = nil
                return .sensor(.answerPairing(address: address, .text(prompt.text)))
            case .cancelled:
                dialogs.pairingPrompt = nil
                return .sensor(.cancelPairing(address: address))
            default: return nil
            }
        case .confirmPasskey, .authorize:
            switch key {
            case .character("y"), .character("Y"): return .sensor(.answerPairing(address: address, .yes))
            case .character("n"), .character("N"): return .sensor(.answerPairing(address: address, .no))
            case .escape: return .sensor(.cancelPairing(address: address))
            default: break
            }
        case .started, .passkey, .pinCode:
            if key == .escape { return .sensor(.cancelPairing(address: address)) }
        }
        switch keys.command(for: key) {
        case .acknowledge: return acknowledge(in: state)
        case .pauseAudio: return toggleAudioPause(in: state)
        case .showAlarms: pages.show(.alarms)
        // Two open questions would mix up their answers.
        case .quit where pairing.isUnderWay && pairing != .authorize && !pairing.isConfirmation:
            return quit(in: state)
        default: break
        }
        return nil
    }

    /// The line for a typed answer.
    static func prompt(for pairing: PairingState) -> TextPrompt {
        pairing == .passkeyWanted ? TextPrompt("Passkey", limit: 6) : TextPrompt("Code", limit: 16)
    }
}
