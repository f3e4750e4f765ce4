/// A group of keys in the help: what they are about.
///
/// Keys of one page have none; they are listed by page.
public enum KeyGroup: Hashable, CaseIterable, Sendable {
    /// Alarms, limits and sounds.
    case alarms
    /// Finding and connecting sensors.
    case sensors
    /// Trends and days.
    case trends
    /// What is entered, and about whom.
    case record
    /// What the screen shows, and moving on it.
    case screen

    /// Its heading.
    public var title: String {
        switch self {
        case .alarms: "Alarms"
        case .sensors: "Sensors"
        case .trends: "Trends"
        case .record: "Record"
        case .screen: "Screen"
        }
    }
}
