import Vitals

/// How much would be lost with the row of a sensor, when there are more sensors than rows; the least goes first.
enum RowImportance: Int, Comparable, Sendable {
    /// A radio that was heard, and nothing more.
    case heard
    /// A sensor that said something once, and that nobody wants connected.
    case past
    /// A sensor that is wanted, has no link and has not given anything yet.
    case attempted
    /// A sensor that is wanted and has lost its link.
    case interrupted
    /// A sensor that sends.
    case streaming
    /// A sensor about which the user has said something, other than that they want it connected.
    case remembered
    /// A sensor that the user wants connected, from one start to the next.
    case rememberedAndWanted

    static func < (lhs: RowImportance, rhs: RowImportance) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Whether a row of this importance may be given up for a sensor of another one.
    ///
    /// Among sensors that send nothing at present, the one that was heard most recently counts most.
    func yields(to newcomer: RowImportance) -> Bool {
        self < newcomer || self == newcomer && self < .interrupted
    }
}

extension SensorState {
    /// How much would be lost with its row.
    var importance: RowImportance {
        if let memory { return memory.isWanted == true ? .rememberedAndWanted : .remembered }
        if isForgettable { return .heard }
        if isLinkUp || connection?.phase == .connected && connection?.isForeign == false { return .streaming }
        // Readings without a word about a connection, as from a recording.
        if link == .unknown, connection == nil, vitals.contains(where: \.standing.hasValue) { return .streaming }
        guard isWanted else { return .past }
        return lastReading == nil ? .attempted : .interrupted
    }
}

extension ConnectionState {
    /// How important a sensor is of which nothing is known but this.
    var importance: RowImportance {
        if isForeign { return .heard }
        return switch phase {
        case .connecting, .waiting: .attempted
        case .connected, .ready: .streaming
        case .disconnected: .heard
        }
    }
}
