import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let settings = ScreenState.Page(SettingsPage.self)
}

/// The page of settings.
///
/// It remembers nothing: what it shows is the screen's ``SettingsView``, which the program keeps up to date.
struct SettingsPage: ScreenPage {
    static let context = KeyContext.settings
    static let opener = Command.showSettings

    func content(_ scene: Scene, in area: Area) -> any PageContent { SettingsContent(scene: scene) }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        screen.settings.cursor.move(move, in: screen.settings.listed.map(\.name), page: 10)
    }

    mutating func handle(
        _ command: Command, _ screen: inout ScreenState, in state: MonitorState, at now: Moment
    ) -> Handling {
        switch command {
        case .filterSettings:
            screen.dialogs.ask(.settingsFilter(TextPrompt("Filter", text: screen.settings.filter, limit: 40)))
        case .keepSettings:
            if screen.settings.unkeptCount > 0 { return .handled(.keepSettings) }
            screen.dialogs.message = "Nothing was changed that is not kept."
        case .changeSetting, .settingDown, .settingUp, .resetSetting:
            guard let item = screen.settings.selected else {
                screen.dialogs.message = "There are no settings here."
                return .handled()
            }
            return .handled(change(item, command, &screen))
        default: return .passed
        }
        return .handled()
    }

    private func change(_ item: SettingItem, _ command: Command, _ screen: inout ScreenState) -> ScreenWish? {
        // The selection stays when other settings change.
        screen.settings.cursor.selected = item.name
        switch command {
        case .resetSetting: return .changeSetting(item.name, .usual)
        case .changeSetting where item.isChoice && item.hasSteps: return .changeSetting(item.name, .step(1))
        case .changeSetting:
            screen.dialogs.ask(
                .setting(item.name, TextPrompt(item.title, text: item.value, limit: 1024)),
                "Allowed: \(item.expectation).")
        case .settingDown where item.hasSteps: return .changeSetting(item.name, .step(-1))
        case .settingUp where item.hasSteps: return .changeSetting(item.name, .step(1))
        default: screen.dialogs.message = "This is typed: press \(screen.keys.name(of: .changeSetting))."
        }
        return nil
    }
}

/// The view of the settings, and the selected one.
public struct SettingsView: Hashable, Sendable {
    /// Every setting, in the order of the file.
    public var items: [SettingItem] = []
    /// A text that listed settings contain in name or explanation; empty for all.
    var filter = ""
    /// The selected one, by its name.
    var cursor = ListCursor<String>()

    /// The listed settings.
    var listed: [SettingItem] {
        guard !filter.isEmpty else { return items }
        let wanted = filter.lowercased()
        return items.filter { "\($0.name) \($0.title) \($0.explanation)".lowercased().holds(wanted) }
    }

    /// The selected one.
    var selected: SettingItem? {
        let listed = listed
        return listed.isEmpty ? nil : listed[cursor.place(in: listed.map(\.name))]
    }

    /// The number of changes that are not kept.
    public var unkeptCount: Int { items.count { $0.source == .changed } }
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

    /// The line stays until the program has accepted or refused the value.
    mutating func keyPressed(_ key: Key, inSetting name: String, _ prompt: TextPrompt) -> ScreenWish? {
        var prompt = prompt
        switch prompt.keyPressed(key) {
        case .accepted: return .changeSetting(name, .text(prompt.text))
        case .cancelled: dialogs.closeInputLine()
        case .edited, .ignored: dialogs.update(.setting(name, prompt))
        }
        return nil
    }
}

/// The settings, section by section, each with its value and its origin, and a description of the selected one.
private struct SettingsContent: PageContent {
    let scene: Scene

    private enum Line {
        case section(String)
        case item(SettingItem)
    }

    /// The title of the page: the filter, and the number of changes that are not kept.
    var title: String {
        let settings = scene.screen.settings
        var parts = ["SETTINGS"]
        if settings.unkeptCount > 0 { parts[0] += " \(settings.unkeptCount) not kept" }
        if !settings.filter.isEmpty {
            parts.append("/\(ellipsized(settings.filter, columns: 20, glyphs: scene.glyphs))")
        }
        return parts.joined(separator: scene.glyphs.dot)
    }

    /// Draws as many settings as fit around the selected one, and below them its description.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        let settings = scene.screen.settings
        guard let selected = settings.selected else {
            grid.put(settings.items.isEmpty ? "There are no settings here." : "No such setting.", .faint, in: area)
            return PageView.Extent(rows: 1)
        }
        let sentences = wrapped(text(of: selected), columns: area.columns, glyphs: scene.glyphs)
        let room = area.rows >= 10 ? min(sentences.count + 1, area.rows / 2 - 1, 7) : area.rows >= 4 ? 1 : 0
        var list = area
        var below = list.takeBottom(room)
        // Last, if the sentences leave room, its name in the file.
        let place = area.rows >= 10 ? below.takeBottom(1) : below.inset(top: below.rows)
        for sentence in sentences.prefix(below.rows) { grid.put(sentence, .plain, in: below.takeTop(1)) }
        let text = ellipsized(
            "In the file: \(selected.key), in [\(selected.section)]", columns: place.columns, glyphs: scene.glyphs)
        if !place.isEmpty { grid.put(text, .faint, in: place) }
        if list.rows >= 8 { _ = list.takeBottom(1) }
        let lines = self.lines(settings.listed)
        let index = lines.firstIndex { if case .item(selected) = $0 { true } else { false } } ?? 0
        let top = max(0, min(index - list.rows / 2, lines.count - list.rows))
        let scroll = ScrollBar(top: top, shown: list.rows, total: lines.count)
        for line in lines.dropFirst(top).prefix(list.rows) {
            draw(line, selected: selected, in: list.takeTop(1), on: &grid)
        }
        return PageView.Extent(rows: area.rows, scroll: scroll)
    }

    private func lines(_ items: [SettingItem]) -> [Line] {
        var lines: [Line] = []
        var section = ""
        for item in items {
            if item.section != section { lines.append(.section(item.heading)) }
            section = item.section
            lines.append(.item(item))
        }
        return lines
    }

    private func draw(_ line: Line, selected: SettingItem, in place: Area, on grid: inout Grid) {
        switch line {
        case .section(let heading): grid.put(scene.glyphs.fit(heading), .faint, in: place)
        case .item(let item):
            let isSelected = item == selected
            var rest = place
            _ = rest.takeLeft(2)
            if place.columns >= 50 {
                let source = item.source == .usual ? "" : item.source.rawValue
                grid.put(source, item.source == .changed ? .strong : .faint, in: rest.takeRight(9))
            }
            func fitted(_ text: String, _ place: Area) -> String {
                ellipsized(scene.glyphs.fit(text), columns: place.columns - 1, glyphs: scene.glyphs)
            }
            let title = rest.takeLeft(min(24, rest.columns / 2))
            grid.put(fitted(item.title, title), .plain, in: title)
            let style = item.shownValue == item.usual ? Style.plain : .strong
            grid.put(fitted(item.shownValue, rest), style, in: rest)
            if isSelected { grid.select(place, pointer: scene.glyphs.pointer) }
            grid.record(.setting(item.name), in: place)
        }
    }

    /// The description of the selected setting: its meaning, allowed values, default, and when a change applies.
    private func text(of item: SettingItem) -> String {
        let start = item.isAtOnce ? "" : " It holds from the next start on."
        return scene.glyphs.fit(
            "\(item.explanation) Allowed: \(item.expectation). Usually: \(item.usual).\(start)")
    }
}
