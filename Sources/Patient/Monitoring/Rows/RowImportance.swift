import Vitals

/// The importance of a sensor's row when there are more sensors than rows; the least important is given up first.
enum RowImportance: Int, Comparable, Sendable {
    /// A sensor that was only heard.
    case heard
    /// A sensor that has sent data before and is not wanted.
    case past
    /// A sensor that is wanted, has no link and has sent nothing yet.
    case attempted
    /// A sensor that is wanted and has lost its link.
    case interrupted
    /// A sensor that sends.
    case streaming
    /// A sensor that the user has named or assigned, but does not want connected.
    case remembered
    /// A sensor that the user wants connected at every start.
    case rememberedAndWanted

    static func < (lhs: RowImportance, rhs: RowImportance) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Whether a row of this importance may be given up for another sensor.
    ///
    /// Among sensors that send nothing at present, the one that was heard most recently is kept.
    func yields(to newcomer: RowImportance) -> Bool {
        self < newcomer || self == newcomer && self < .interrupted
    }
}

extension SensorState {
    var importance: RowImportance {
        if let memory { return memory.isWanted == true ? .rememberedAndWanted : .remembered }
        if isForgettable { return .heard }
        if isLinkUp || connection?.phase == .connected && connection?.isForeign == false { return .streaming }
        // Readings without a connection, as from a recording.
        if link == .unknown, connection == nil, vitals.contains(where: \.standing.hasValue) { return .streaming }
        guard isWanted else { return .past }
        return lastReading == nil ? .attempted : .interrupted
    }
}

extension ConnectionState {
    /// The importance of a sensor known only from memory.
    var importance: RowImportance {
        if isForeign { return .heard }
        return switch phase {
        case .connecting, .waiting: .attempted
        case .connected, .ready: .streaming
        case .disconnected: .heard
        }
    }
}
