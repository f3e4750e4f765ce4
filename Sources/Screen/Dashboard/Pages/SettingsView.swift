import Appearance
import Base
import Vitals

/// The view of the settings, and the selected one.
public struct SettingsView: Hashable, Sendable {
    /// Every setting, in the order of the file.
    public var items: [SettingItem] = []
    /// A text that listed settings contain in name or explanation; empty for all.
    var filter = ""
    private var selectedName: String?

    /// The listed settings.
    var listed: [SettingItem] {
        guard !filter.isEmpty else { return items }
        let wanted = filter.lowercased()
        return items.filter { "\($0.name) \($0.title) \($0.explanation)".lowercased().holds(wanted) }
    }

    /// The selected one: the first without a selection, or if the selection is not listed.
    var selected: SettingItem? {
        let listed = listed
        return listed.first { $0.name == selectedName } ?? listed.first
    }

    /// The number of changes that are not kept.
    public var unkeptCount: Int { items.count { $0.source == .changed } }

    /// Selects another setting.
    ///
    /// - Returns: Whether there was another one.
    mutating func move(by step: Int) -> Bool {
        let listed = listed
        guard !listed.isEmpty else { return false }
        let index = listed.firstIndex { $0.name == selectedName } ?? 0
        let next = min(max(0, index + step), listed.count - 1)
        selectedName = listed[next].name
        return next != index
    }

    mutating func select(_ name: String) { selectedName = name }
}

extension ScreenState {
    /// Shows settings after a change, and closes the line in which a value was typed.
    public mutating func settingsChanged(_ items: [SettingItem]) {
        settings.items = items
        if case .setting = dialogs.inputLine { dialogs.closeInputLine() }
    }

    /// Shows why a setting was not changed: above the input line, or instead of the keys.
    public mutating func settingRefused(_ reason: String) {
        if case .setting = dialogs.inputLine {
            dialogs.explain(reason)
        } else {
            dialogs.message = "Not changed: \(reason)"
        }
    }
}
