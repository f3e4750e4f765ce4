import Vitals

extension PairingState {
    /// Whether the screen must show it, or ask the user, at once.
    public var isOnScreen: Bool {
        if case .needed = self { false } else { true }
    }

    /// Whether it has ended.
    public var isOver: Bool {
        switch self {
        case .succeeded, .failed: true
        default: false
        }
    }
}

extension SensorState {
    /// Whether the sensor sends nothing before it is paired.
    public var needsPairing: Bool {
        if case .needed? = pairing { true } else { false }
    }
}
