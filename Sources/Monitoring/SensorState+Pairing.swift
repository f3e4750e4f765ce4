import Vitals

extension PairingState {
    /// Whether the user has to be shown it, or asked, at once.
    public var isOnScreen: Bool {
        if case .needed = self { false } else { true }
    }

    /// Whether nothing more comes of it.
    public var isOver: Bool {
        switch self {
        case .succeeded, .failed: true
        default: false
        }
    }
}

extension SensorState {
    /// Whether the sensor does not talk to us before it is paired.
    public var needsPairing: Bool {
        if case .needed? = pairing { true } else { false }
    }
}
