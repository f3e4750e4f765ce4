/// Where a key works.
public enum KeyContext: Hashable, CaseIterable, Sendable {
    /// On every page, and on the main view.
    case everywhere
    /// Where no page covers the vitals and sensors.
    case main
    /// In the distance view.
    case distance
    /// Where a sensor is selected, and on the page of a sensor.
    case sensors
    /// Where sensors are listed: on the first page, and on the page of all sensors.
    case listing
    /// On the page of all sensors.
    case list
    /// On the page of one sensor.
    case sensor
    /// On the page of alarms.
    case alarms
    /// On the page of the alarm log.
    case log
    /// On the page of limits.
    case limits
    /// On the page of settings.
    case settings
    /// On the page of manual entries.
    case entries
    /// On the page of the patient's record, where the keys of manual entries work, too.
    case record
    /// On the page of contacts, which has no keys of its own.
    case contacts
    /// On the page of the last days.
    case days
    /// On the page of a night.
    case nights
    /// On the page of one wave.
    case wave
    /// Everywhere during a replay.
    case replay

    /// Whether some key may be meant in both.
    package func overlaps(_ other: KeyContext) -> Bool {
        switch (self, other) {
        case (.everywhere, _), (_, .everywhere), (.replay, _), (_, .replay): true
        case (.sensors, .main), (.sensors, .sensor), (.main, .sensors), (.sensor, .sensors): true
        case (.listing, .main), (.listing, .list), (.main, .listing), (.list, .listing): true
        case (.sensors, .list), (.list, .sensors), (.sensors, .listing), (.listing, .sensors): true
        case (.entries, .record), (.record, .entries): true
        default: self == other
        }
    }

    /// The heading of its keys in the help; `nil` for those of the first page and those that work everywhere.
    public var title: String? {
        switch self {
        case .everywhere, .main, .sensors, .listing: nil
        case .distance: "In the distance view"
        case .list: "On the page of all sensors"
        case .sensor: "On the page of one sensor"
        case .alarms: "On the page of alarms"
        case .log: "In the alarm log"
        case .limits: "On the page of limits"
        case .settings: "On the page of settings"
        case .entries: "On the page of what is entered by hand"
        case .record: "In the record"
        case .contacts: "On the page of contacts"
        case .days: "On the page of the last days"
        case .nights: "On the page of a night"
        case .wave: "On the page of one wave"
        case .replay: "While a recording is played"
        }
    }
}

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
