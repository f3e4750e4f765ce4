import BlueZ
import Vitals

/// How one peripheral is heard on the air, and when that is reported.
struct SensorSignal {
    /// The signal strength that Bluetooth controllers report when they have none.
    private static let noStrength = 127
    /// How old a signal strength may be that is reported: no older than the throttle makes it.
    private static let freshness = SignalStrengthThrottle.interval * 2

    /// The newest signal strength in dBm.
    private var strength: Int?
    /// When it was heard.
    private var strengthHeard: Moment?
    /// Whether the peripheral was reported as nearby, and not yet as gone.
    private(set) var isNearby = false
    /// When it was last heard or had a link.
    private(set) var lastHeard: Moment?
    private var throttle = SignalStrengthThrottle()
    /// When a signal strength that is kept back is due.
    private(set) var due: Moment?

    /// When a heard peripheral is reported.
    enum Report: Hashable {
        case now
        case later(Moment)
        case none
    }

    /// Records BlueZ's state of a peripheral; returns when to report it: at once when it is new or has changed, else at
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
            // BlueZ repeats the last one with other news.
            strengthHeard = peripheral.lastHeard.map { Moment($0) } ?? moment
        }
        if isNews || !isNearby {
            isNearby = true
            return .now
        }
        // One that stays where it is is reported now and then, or it would look gone.
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

    /// Forgets a peripheral that is not heard any more; returns whether it was nearby.
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
