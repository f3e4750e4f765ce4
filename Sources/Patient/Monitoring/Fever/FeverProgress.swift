import Vitals

/// The progress of the rule for sustained fever for a source of body temperature, while it has detected none.
public enum FeverProgress: Hashable, Sendable {
    /// The temperature was high for this many of the required minutes.
    case warm(minutes: Int, of: Int)
    /// There are too few samples to evaluate: this many of the required minutes have some.
    case insufficientData(minutes: Int, of: Int)

    /// Whether there are enough samples to evaluate.
    public var isEvaluated: Bool {
        if case .warm = self { true } else { false }
    }
}

extension MonitorState {
    /// The progress of the rule for sustained fever for the source of body temperature, or that it cannot evaluate;
    /// `nil` if there is nothing to report.
    public var feverProgress: FeverProgress? {
        guard let ordinal = self[.bodyTemperature].sourceOrdinal,
            let row = table.row(ordinal: ordinal),
            let place = table[row].place(of: .bodyTemperature)
        else { return nil }
        return table[row].vitals[place].fever.progress(at: now, settings: settings.fever)
    }
}
