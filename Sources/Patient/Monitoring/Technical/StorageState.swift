import Vitals

/// Whether readings can be stored.
public enum StorageState: Codable, Hashable, Sendable {
    /// Readings can be stored, or storing is off.
    case working
    /// Readings can be stored, but there is little space left; `reason` is for the user: "128 MB left".
    case nearlyFull(reason: String)
    /// Readings can be stored; earlier ones are not in the store, and `reason` says where: "earlier values are in
    /// NAME".
    case incomplete(reason: String)
    /// Readings cannot be stored, for lack of space.
    case full
    /// Readings cannot be stored; `reason` is for the user: "the disk answers with an error".
    case failed(reason: String)

    /// Whether readings can be stored.
    var canStore: Bool {
        switch self {
        case .working, .nearlyFull, .incomplete: true
        case .full, .failed: false
        }
    }
}

extension MonitorState {
    /// Applies a change of the store's state.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ storage: StorageState, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        // Failing to record is a different condition from little space: one ends when the other begins.
        if environment.storage.canStore != storage.canStore { effects += evaluateComputer(.storage, nil, delay: .zero) }
        environment.storage = storage
        let detail: String? =
            switch storage {
            case .working: nil
            case .nearlyFull(let reason): "nearly full, \(reason)"
            case .incomplete(let reason): reason
            case .full: "full, nothing more is recorded"
            case .failed(let reason): "\(reason); nothing more is recorded"
            }
        effects += evaluateComputer(.storage, detail.map { ($0, AlarmPriority.low) }, delay: .zero)
        return effects + settle()
    }
}
