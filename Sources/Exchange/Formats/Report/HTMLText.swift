import Base
import Vitals

/// Text within an HTML document.
enum HTMLText {
    /// The text, escaped for element content and quoted attributes.
    static func escaped(_ text: String) -> String {
        var result = ""
        // Control and bidirectional characters could reorder the text beside them.
        for character in sanitized(text, limit: 1000) {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }

    /// A table; every cell is escaped.
    ///
    /// - Parameters:
    ///   - titles: The titles of the columns.
    ///   - numbers: The columns of numbers, which are right-aligned.
    ///   - times: The columns of times, which are not broken.
    ///   - rows: The cells.
    static func table(
        _ titles: [String], numbers: Set<Int> = [], times: Set<Int> = [], _ rows: [[String]]
    ) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            let cells = cells.enumerated().map { column, text in
                let name = numbers.contains(column) ? "number" : times.contains(column) ? "time" : ""
                return "<\(tag)\(name.isEmpty ? "" : " class=\"\(name)\"")>\(escaped(text))</\(tag)>"
            }
            return "<tr>\(cells.joined())</tr>\n"
        }
        let head = "<thead>\n\(row(titles, "th"))</thead>\n"
        return "<table>\n\(head)<tbody>\n\(rows.map { row($0, "td") }.joined())</tbody>\n</table>\n"
    }
}
