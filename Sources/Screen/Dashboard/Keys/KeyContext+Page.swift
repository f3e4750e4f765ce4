import Appearance

extension KeyContext {
    /// The context of a page's keys.
    init(_ page: ScreenState.Page?) {
        switch page {
        case .distance: self = .distance
        case .alarms: self = .alarms
        case .log: self = .log
        case .limits: self = .limits
        case .settings: self = .settings
        case .entries: self = .entries
        case .record: self = .record
        case .contacts: self = .contacts
        case .days: self = .days
        // It is about one sensor, too.
        case .sensor, .rhythm: self = .sensor
        case nil: self = .main
        }
    }
}

extension KeyBinding {
    /// Whether the keys work on a page, or on the main view.
    func isUsable(on page: ScreenState.Page?) -> Bool { context.overlaps(KeyContext(page)) }
}

extension KeyMap {
    /// The command of a key on a page, or on the main view, if any.
    func command(for key: Key, on page: ScreenState.Page? = nil) -> Command? {
        KeyBinding.table.first { $0.isUsable(on: page) && self[$0.command].contains(key) }?.command
    }
}
