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

extension PairingState {
    /// How long before and after a pairing the end of a link belongs to it.
    static let unsettledTime = Duration.seconds(5)
}

extension SensorState {
    /// Whether the end of its link belongs to a pairing, which is in progress or has just ended.
    func isUnsettledByPairing(at now: Moment) -> Bool {
        guard let pairing, let pairingChanged else { return false }
        return !pairing.isOver || now.since(pairingChanged) < PairingState.unsettledTime
    }

    /// Whether the sensor sends nothing before it is paired.
    public var needsPairing: Bool {
        if case .needed? = pairing { true } else { false }
    }
}
