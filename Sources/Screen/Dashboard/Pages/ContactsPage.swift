import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

extension ScreenState.Page {
    static let contacts = ScreenState.Page(ContactsPage.self)
}

/// The page of contacts: whom to call.
struct ContactsPage: ScreenPage {
    static let context = KeyContext.contacts
    static let opener = Command.showContacts

    func content(_ scene: Scene, in area: Area) -> any PageContent { ContactsContent(scene: scene) }

    func keyLabel(of command: Command, usual: String, _ scene: Scene) -> String? {
        [.selectNext, .pauseForCare].contains(command) ? nil : usual
    }

    mutating func move(_ move: ListMove, _ screen: inout ScreenState, in state: MonitorState) -> Bool {
        screen.dialogs.message = "Nothing is selected here; \(screen.keys.name(of: .close)) closes the page."
        return false
    }
}

/// The contacts, in the order of the configuration.
private struct ContactsContent: PageContent {
    let scene: Scene

    let title = "WHOM TO CALL"

    /// Draws as many contacts as fit: the name and the number, and beside or below them role and time.
    func draw(in area: Area, on grid: inout Grid) -> PageView.Extent {
        grid.rest(in: area)
        let contacts = scene.state.settings.contacts
        guard !contacts.isEmpty else {
            let lines = [
                "Nobody is listed. Add whom to call to the configuration:",
                #"[contacts]"#, #"people = ["Ward 7, nurse on duty, +49 351 1234, day and night"]"#,
            ]
            let rows = lines.flatMap { wrapped($0, columns: area.columns, glyphs: scene.glyphs) }.prefix(area.rows)
            for (row, line) in rows.enumerated() { grid.put(line, .faint, in: area.line(row)) }
            return PageView.Extent(rows: rows.count)
        }
        var rest = area
        let names = contacts.map { columnWidth(of: scene.glyphs.fit($0.name)) }.max() ?? 0
        let height = rest.columns < 60 ? 2 : 1
        for contact in contacts where rest.rows > 0 {
            draw(
                contact, nameColumns: min(names, rest.columns / 2), in: rest.takeTop(min(height, rest.rows)), on: &grid)
        }
        if rest.rows >= 2 {
            let line = rest.line(1)
            grid.put(fitted("Bedside calls nobody by itself.", line.columns), .faint, in: line)
            _ = rest.takeTop(2)
        }
        return PageView.Extent(rows: area.rows - rest.rows)
    }

    private func draw(_ contact: Contact, nameColumns: Int, in area: Area, on grid: inout Grid) {
        var line = area.line(0)
        // A truncated number would be wrong: the name is shortened instead.
        let number = scene.glyphs.fit(contact.number)
        let columns = max(0, min(nameColumns, line.columns - columnWidth(of: number) - 2))
        let name = line.takeLeft(columns)
        grid.put(fitted(contact.name, name.columns), .strong, in: name)
        _ = line.takeLeft(min(2, line.columns))
        let end = grid.put(fitted(contact.number, line.columns), .plain, in: line)
        let more = [contact.role, contact.hours].filter { !$0.isEmpty }
        guard !more.isEmpty else { return }
        if area.rows > 1 {
            let below = area.line(1).inset(left: 2)
            grid.put(facts(more, below.columns), .faint, in: below)
        } else {
            let left = line.inset(left: min(line.columns, end + 2))
            if left.columns > 3 { grid.put(facts(more, left.columns), .faint, in: left) }
        }
    }

    private func facts(_ parts: [String], _ columns: Int) -> String {
        Wording.fitted(
            parts.map(scene.glyphs.fit), separator: scene.glyphs.dot, columns: columns, glyphs: scene.glyphs)
    }

    private func fitted(_ text: String, _ columns: Int) -> String {
        ellipsized(scene.glyphs.fit(text), columns: columns, glyphs: scene.glyphs)
    }
}
