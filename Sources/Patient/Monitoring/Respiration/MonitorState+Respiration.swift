import Vitals

/// The newest estimate of breathing, and the strap whose waves it comes from.
public struct RespirationReport: Codable, Hashable, Sendable {
    public var estimate: RespirationEstimate
    /// The address of the strap.
    public var address: String

    /// How far back the waves of an estimate reach: its windows, and what one signal is ahead of the other.
    static let reach = Duration.seconds(60)

    public init(_ estimate: RespirationEstimate, from address: String) {
        (self.estimate, self.address) = (estimate, address)
    }
}

extension MonitorState {
    /// The estimated breathing rate to show beside the heart rate of the same strap.
    ///
    /// It is no vital: it has no limits, no trend, no part in a score, and raises no alarm.
    ///
    /// - Parameter now: Any moment from the newest event on.
    /// - Returns: `nil` without one, while the strap measures no heart rate, and for an estimate that is too old.
    public func shownRespiration(at now: Moment) -> RespirationEstimate.Rate? {
        guard let respiration, case .measured(let heart) = self[.heartRate].condition,
            heart.sensor.address == respiration.address,
            now.monotonic.since(respiration.estimate.end) < RespirationEstimate.shownFor
        else { return nil }
        return respiration.estimate.rate
    }

    /// Handles a new estimate.
    mutating func apply(_ report: RespirationReport, at moment: Moment) -> [Effect] {
        let effects = advance(to: moment)
        // Its waves may begin with another patient's.
        let isOfOther = isOfOther(moment.advanced(by: .zero - RespirationReport.reach))
        respiration = isOfOther ? nil : report
        return effects + settle()
    }
}

extension RespirationReport {
    /// Whether its numbers are those of a person.
    var isCoherent: Bool {
        guard let rate = estimate.rate else { return true }
        return (1...60).contains(rate.perMinute) && (1...60).contains(rate.spread) && (1...4).contains(rate.signals)
    }
}
