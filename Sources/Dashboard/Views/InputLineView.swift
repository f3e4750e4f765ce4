import Appearance

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
        case .mascc(let draft):
            if let choice = draft.choice {
                draw(choice, in: area, on: &grid)
            } else {
                draw(draft.name, keys: [("Enter", "save"), ("Esc", "leave")], in: area, on: &grid)
            }
        case .limit(_, let prompt):
            draw(prompt, keys: [("Enter", "set"), ("Esc", "cancel")], in: area, on: &grid)
        case .rename(_, let prompt): draw(prompt, keys: [("Enter", "save"), ("Esc", "cancel")], in: area, on: &grid)
        case .octets(_, _, _, let prompt):
            draw(prompt, keys: [("Enter", "write"), ("Esc", "cancel")], in: area, on: &grid)
        case .choice(let choice): draw(choice, in: area, on: &grid)
        case nil: break
        }
    }

    private func draw(
        _ prompt: TextPrompt, keys: [(name: String, label: String)], in area: Area, on grid: inout Grid
    ) {
        var rest = area
        let hints = keys.reduce(0) { $0 + columnWidth(of: $1.name) + columnWidth(of: $1.label) + 3 }
        if area.columns >= hints + 30 {
            let right = rest.takeRight(hints)
            grid.fill(right, " ", .plain)
            var offset = 0
            for key in keys { offset = put(key.name, key.label, at: offset, in: right, on: &grid) }
        }
        let style = Style(.plain, .bold)
        grid.fill(rest, " ", style.reversed)
        // The text is what matters: its name gets at most half of the line.
        let title = ellipsized(prompt.title, columns: max(0, rest.columns / 2 - 3), glyphs: scene.glyphs)
        let start = grid.put(" \(title): ", style.reversed, in: rest)
        let field = rest.inset(left: start, right: 1)
        let (text, cursor) = prompt.view(columns: field.columns)
        grid.put(text, Style.plain.reversed, in: field)
        // A cell that is not reversed stands for the cursor: the terminal's own may be hidden.
        let cell = Area(column: field.column + cursor, row: field.row, columns: field.columns > cursor ? 1 : 0, rows: 1)
        grid.restyle(cell) { _ in .plain.with(.underline) }
        if !cell.isEmpty { grid.cursor = Grid.Position(column: cell.column, row: cell.row) }
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
            offset = put(answer.0, answer.1, at: offset, in: area, on: &grid)
            let key = answer.0.unicodeScalars.count == 1 ? answer.0.unicodeScalars.first.map(Key.character) : nil
            grid.record(
                .key(key ?? .escape),
                in: Area(column: area.column + start, row: area.row, columns: offset - start, rows: area.rows))
        }
    }

    private func put(_ key: String, _ label: String, at offset: Int, in area: Area, on grid: inout Grid) -> Int {
        let offset = grid.put(" \(key)", Style(.key, .bold), at: offset, in: area)
        return grid.put(" \(label) ", .plain, at: offset, in: area)
    }
}
