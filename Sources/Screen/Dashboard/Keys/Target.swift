import Appearance
import Monitoring
import TextGrid
import Vitals

/// The action of a click at a place of the screen.
public enum Target: Hashable, Sendable {
    /// The same as this key.
    case key(Key)
    /// Selects the sensor with this address.
    case sensor(address: String)
    /// Selects the setting with this name.
    case setting(String)
    /// Selects a row of the page of alarms, counted from 0.
    case alarm(Int)
    /// Selects a row of the page of manual entries.
    case entry(EntryItem)
    /// Selects a limit.
    case limit(Vital, LimitSetting.Name)
}

extension Grid {
    /// Records the action of a click on an area; the last recorded one is on top.
    mutating func record(_ target: Target, in area: Area) {
        if !area.isEmpty { spots.append(Spot(area: area, target: target)) }
    }

    /// The action of a click on a cell, if any.
    public func target(column: Int, row: Int) -> Target? {
        spots.last { spot in
            let area = spot.area
            return (area.column..<(area.column + area.columns)).contains(column)
                && (area.row..<(area.row + area.rows)).contains(row)
        }?.target as? Target
    }
}

extension ScreenState {
    /// Handles the mouse on the shown grid; changes the view, and returns the user's other requests.
    ///
    /// A click selects, or presses the clicked key; a second click on the selection does nothing, so that nothing is
    /// disconnected by accident. During input or a question only keys work.
    public mutating func mouse(
        _ action: MouseAction, on grid: Grid, in state: MonitorState, at now: Moment
    ) -> ScreenWish? {
        if dialogs.showsWelcome {
            dialogs.showsWelcome = false
            return nil
        }
        switch action {
        case .wheelUp, .wheelDown:
            let command = action == .wheelUp ? Command.selectPrevious : .selectNext
            // Without a list in sight there is nothing to scroll.
            guard pages.current != nil || pages.help != nil || !layout.hasChips else { return nil }
            guard dialogs.inputLine == nil, let key = keys[command].first else { return nil }
            return keyPressed(key, in: state, at: now)
        case .click(let column, let row):
            guard let target = grid.target(column: column, row: row) else { return nil }
            if case .key(let key) = target { return keyPressed(key, in: state, at: now) }
            guard dialogs.inputLine == nil else { return nil }
            dialogs.message = nil
            list.keyPressed(at: now)
            switch target {
            case .key: break
            case .sensor(let address):
                list.selection = address
                if layout.hasChips, pages.current == nil { pages.show(.sensors) }
            case .setting(let name): settings.cursor.selected = name
            case .entry(let item):
                if case .entry(let id) = item, pages.current == .record {
                    pages[RecordPage.self].cursor.selected = id
                }
                pages[EntriesPage.self].cursor.selected = item
            case .alarm(let row):
                let items = AlarmItem.all(in: state)
                if items.indices.contains(row) { pages[AlarmsPage.self].cursor.selected = items[row].id }
            case .limit(let vital, let name):
                if let place = LimitPlace(vital, name) { pages[LimitsPage.self].selected = place }
            }
            list.arrange(state, at: now)
            return nil
        }
    }
}
