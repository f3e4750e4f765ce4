/// Breaks text into lines at spaces.
enum TextWrapping {
    /// The lines of a text, none longer than `width` characters unless a single word is.
    static func lines(of text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            if !line.isEmpty { line += " " }
            line += word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
