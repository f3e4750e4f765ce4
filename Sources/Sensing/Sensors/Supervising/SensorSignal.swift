import BlueZ
import Vitals

/// The advertisements of one peripheral, and when they are reported.
struct SensorSignal {
    /// The value that Bluetooth controllers report for an unknown signal strength.
    private static let noStrength = 127
    /// The greatest age of a reported signal strength: the interval of the throttle.
    private static let freshness = SignalStrengthThrottle.interval * 2

    /// The newest signal strength in dBm.
    private var strength: Int?
    /// When the signal strength was received.
    private var strengthHeard: Moment?
    /// Whether the peripheral is reported as nearby.
    private(set) var isNearby = false
    /// When it was last heard or connected.
    private(set) var lastHeard: Moment?
    private var throttle = SignalStrengthThrottle()
    /// When a held signal strength is due.
    private(set) var due: Moment?

    /// When to report a heard peripheral.
    enum Report: Hashable {
        case now
        case later(Moment)
        case none
    }

    /// Records BlueZ's state of a peripheral; returns when to report it: at once if it is new or has changed, else at
    /// most once a second.
    mutating func hear(_ peripheral: Peripheral, isNews: Bool, at moment: Moment) -> Report {
        // Quirk strength-taken-back: at the end of a scan; the peripheral itself has not changed.
        let new = peripheral.rssi.flatMap { $0 == Self.noStrength ? nil : $0 }
        let isHeard = new != nil || peripheral.isConnected
        guard isHeard || isNearby else { return .none }
        if isHeard { lastHeard = moment }
        let hasChanged = new != nil && new != strength
        if let new {
            strength = new
            // BlueZ repeats the last strength with other changes.
            strengthHeard = peripheral.lastHeard.map { Moment($0) } ?? moment
        }
        if isNews || !isNearby {
            isNearby = true
            return .now
        }
        // An unchanged strength is reported now and then, or the peripheral would look gone.
        guard hasChanged || throttle.isOld(at: moment) && new != nil else { return .none }
        switch throttle.decide(at: moment) {
        case .report: return .now
        case .reportAt(let due):
            self.due = due
            return .later(due)
        case .keep: return .none
        }
    }

    /// Records that it is reported now.
    mutating func recordReport(at moment: Moment) {
        due = nil
        throttle.reported(at: moment)
    }

    /// Forgets a peripheral that is no longer heard; returns whether it was nearby.
    mutating func forget() -> Bool {
        defer { isNearby = false }
        due = nil
        strength = nil
        return isNearby
    }

    /// The signal strength in dBm, unless it is too old.
    func strength(at moment: Moment) -> Int? {
        strengthHeard.map { moment.since($0) <= Self.freshness } == true ? strength : nil
    }
}
