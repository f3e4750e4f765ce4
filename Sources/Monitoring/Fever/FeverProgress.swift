import Vitals

/// How far the rule about sustained fever is with a source of body temperature, while it has not found any.
public enum FeverProgress: Hashable, Sendable {
    /// It has been warm for so many of the minutes that make it fever.
    case warm(minutes: Int, of: Int)
    /// There are too few samples to judge: so many of the minutes that are needed have some.
    case cannotJudge(minutes: Int, of: Int)

    /// Whether there is something to judge.
    public var isJudging: Bool {
        if case .warm = self { true } else { false }
    }
}

extension MonitorState {
    /// How far the rule about sustained fever is with the source that body temperature is taken from, or that it cannot
    /// judge; `nil` when it can, and when no temperature ever came.
    public var feverProgress: FeverProgress? {
        guard let ordinal = self[.bodyTemperature].sourceOrdinal,
            let row = table.row(ordinal: ordinal),
            let place = table[row].place(of: .bodyTemperature)
        else { return nil }
        return table[row].vitals[place].fever.progress(at: now, settings: settings.fever)
    }
}
