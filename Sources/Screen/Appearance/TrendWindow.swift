/// The time span of the trends.
public enum TrendWindow: String, CaseIterable, Hashable, Sendable {
    case twoMinutes = "2m"
    case tenMinutes = "10m"
    case hour = "1h"
    case eightHours = "8h"
    case day = "24h"

    /// The time in seconds.
    package var seconds: Int64 {
        switch self {
        case .twoMinutes: 120
        case .tenMinutes: 600
        case .hour: 3600
        case .eightHours: 8 * 3600
        case .day: 24 * 3600
        }
    }

    /// The time.
    public var duration: Duration { .seconds(seconds) }

    /// The time as text.
    package var text: String {
        switch self {
        case .twoMinutes: "2 min"
        case .tenMinutes: "10 min"
        case .hour: "1 h"
        case .eightHours: "8 h"
        case .day: "24 h"
        }
    }

    /// The next longer or shorter window; the same if there is none.
    package func stepped(longer isLonger: Bool) -> TrendWindow {
        let all = Self.allCases
        let index = (all.firstIndex(of: self) ?? 0) + (isLonger ? 1 : -1)
        return all.indices.contains(index) ? all[index] : self
    }
}
