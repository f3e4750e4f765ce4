import Base
import Status

/// Decides when a status is sent to the session bus: at once when more than numbers changed, else every five seconds.
///
/// The bus does not report whether it has listeners, and each signal wakes the bus and a thread. Alarms, their ends and
/// lost measurements are sent at once.
struct BusPacer {
    /// The delay of numbers.
    private var pace = Pace(interval: .seconds(5))
    private var lastSent: StatusSummary?

    /// The earliest time at which changes of numbers are sent, by the monotonic clock in nanoseconds.
    var numbersDue: Int64 { pace.next }

    /// Decides whether a status is sent now; if so, it counts as sent.
    ///
    /// - Parameters:
    ///   - summary: The status.
    ///   - now: The monotonic time, in nanoseconds.
    /// - Returns: When to send it; `nil` for now.
    mutating func delay(_ summary: StatusSummary, now: Int64) -> Int64? {
        let withoutNumbers = summary.withoutNumbers
        if withoutNumbers == lastSent, now < numbersDue { return numbersDue }
        pace.count(at: now)
        lastSent = withoutNumbers
        return nil
    }
}

extension StatusSummary {
    /// The status without the values, their ages and the texts that contain them.
    fileprivate var withoutNumbers: StatusSummary {
        var summary = fingerprint
        for index in summary.vitals.indices {
            summary.vitals[index].value = nil
            summary.vitals[index].age = nil
            summary.vitals[index].evaluatedAt = []
        }
        for index in summary.alarms.indices {
            summary.alarms[index].value = nil
            summary.alarms[index].peak = nil
            summary.alarms[index].text = ""
        }
        return summary
    }
}
