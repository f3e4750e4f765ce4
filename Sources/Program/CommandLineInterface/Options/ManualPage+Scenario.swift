extension ManualPage {
    /// A part of the page `bedside-scenario(5)`.
    public struct ScenarioPart {
        let title: String
        let introduction: String
        let rows: [(name: String, meaning: String)]
        let example: String

        /// A section with a table.
        ///
        /// - Parameters:
        ///   - title: Its heading.
        ///   - introduction: The sentences before the table, with code in backquotes.
        ///   - rows: The rows, with code in backquotes.
        ///   - example: A literal example after the table; may be empty.
        public init(
            title: String, introduction: String, rows: [(name: String, meaning: String)], example: String = ""
        ) {
            (self.title, self.introduction, self.rows, self.example) = (title, introduction, rows, example)
        }
    }

    /// The page `bedside-scenario(5)`.
    public static func scenarioText(_ parts: [ScenarioPart]) -> String {
        var page = title("BEDSIDE-SCENARIO", 5, "File Formats")
        page += section("NAME") + "bedside\\-scenario \\- scenarios of the simulated sensors of bedside\n"
        page +=
            section("SYNOPSIS")
            + ".nf\n\\fBbedside \\-\\-simulate=\\fIFILE\\fR\n\\fBbedside simulate \\fIFILE\\fR\n.fi\n"
        for part in parts {
            page += section(part.title.uppercased()) + marked(part.introduction) + "\n"
            for row in part.rows { page += ".TP\n\(marked(row.name))\n\(marked(row.meaning))\n" }
            if !part.example.isEmpty { page += ".PP\n.nf\n\(literal(part.example))\n.fi\n" }
        }
        return page + seeAlso("bedside (1)")
    }

    /// A text whose code in backquotes is bold.
    private static func marked(_ text: String) -> String {
        let pieces = escaped(text).split(separator: "`", omittingEmptySubsequences: false)
        return pieces.enumerated().map { $0 % 2 == 0 ? String($1) : "\\fB\($1)\\fR" }.joined()
    }

    /// Lines that are printed literally.
    private static func literal(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }.joined(
            separator: "\n")
    }
}
