import Appearance
import Base
import TextGrid
import Wording

/// The lowest line during input or a question: the label, the text with the cursor, and the keys that end it.
struct InputLineView {
    let scene: Scene

    /// Draws into the first row of an area.
    func draw(in area: Area, on grid: inout Grid) {
        switch scene.screen.dialogs.inputLine {
        case .filter(let prompt): draw(prompt, keys: [("Enter", "keep"), ("Esc", "all")], in: area, on: &grid)
        case .settingsFilter(let prompt):
            draw(prompt, keys: [("Enter", "keep"), ("Esc", "all")], in: area, on: &grid)
        case .setting(_, let prompt): draw(prompt, keys: [("Enter", "set"), ("Esc", "cancel")], in: area, on: &grid)
        case .logFilter(let prompt): draw(prompt, keys: [("Enter", "keep"), ("Esc", "all")], in: area, on: &grid)
        case .entry(let draft):
            if let question = draft.question {
                draw(question.choice, in: area, on: &grid)
            } else {
                draw(draft.prompt, keys: [("Enter", "save"), ("Esc", "leave")], in: area, on: &grid)
            }
        case .reason(let draft):
            draw(draft.prompt, keys: [("Enter", "save"), ("Esc", "leave")], in: area, on: &grid)
        case .form(let draft):
            if let choice = draft.choice {
                draw(choice, in: area, on: &grid)
            } else {
                draw(draft.name, keys: [("Enter", "save"), ("Esc", "leave")], in: area, on: &grid)
            }
        case .limit(_, let prompt):
            draw(prompt, keys: [("Enter", "set"), ("Esc", "cancel")], in: area, on: &grid)
        case .rename(_, let prompt): draw(prompt, keys: [("Enter", "save"), ("Esc", "cancel")], in: area, on: &grid)
        case .interval(_, let prompt):
            draw(prompt, keys: [("Enter", "set"), ("Esc", "cancel")], in: area, on: &grid)
        case .octets(_, _, _, let prompt):
            draw(prompt, keys: [("Enter", "write"), ("Esc", "cancel")], in: area, on: &grid)
        case .choice(let choice): draw(choice, in: area, on: &grid)
        case nil: break
        }
    }

    private func draw(
        _ prompt: TextPrompt, keys: [(name: String, label: String)], in area: Area, on grid: inout Grid
    ) {
        grid.put(prompt, keys: keys, in: area, glyphs: scene.glyphs)
    }

    private func draw(_ choice: Choice, in area: Area, on grid: inout Grid) {
        let answers = choice.answers.map { (String($0.key), $0.label) } + [("Esc", "cancel")]
        let widths = answers.reduce(0) { $0 + columnWidth(of: $1.0) + columnWidth(of: $1.1) + 3 }
        let room = max(area.columns / 3, area.columns - widths - 3)
        let question = ellipsized(choice.question, columns: room, glyphs: scene.glyphs)
        grid.fill(area, " ", .plain)
        var offset = grid.put(" \(question) ", Style(.plain, .reverse), in: area) + 1
        for answer in answers where offset < area.columns {
            let start = offset
            offset = grid.put(key: answer.0, answer.1, at: offset, in: area)
            let key = answer.0.unicodeScalars.count == 1 ? answer.0.unicodeScalars.first.map(Key.character) : nil
            grid.record(
                .key(key ?? .escape),
                in: Area(column: area.column + start, row: area.row, columns: offset - start, rows: area.rows))
        }
    }
}
