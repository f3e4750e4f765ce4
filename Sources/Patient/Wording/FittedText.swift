import Base

/// Cuts a text to a width in columns; an ellipsis replaces the rest.
package func ellipsized(_ text: String, columns: Int, glyphs: GlyphSet) -> String {
    guard columnWidth(of: text) > columns else { return text }
    let room = columns - columnWidth(of: glyphs.ellipsis)
    guard room >= 1 else { return prefix(of: text, columns: max(0, columns)) }
    var cut = prefix(of: text, columns: room)
    while cut.last == " " {
        cut.removeLast()
    }
    return cut + glyphs.ellipsis
}

/// Cuts the name of a sensor to a width in columns, but keeps the end of an address, which makes the name unique.
package func ellipsizedName(_ name: String, columns: Int, glyphs: GlyphSet) -> String {
    let tail = name.suffix(6)
    let isDistinguished = tail.first == " " && tail.split(separator: ":").count == 2
    guard isDistinguished, columns > tail.count + 1 else { return ellipsized(name, columns: columns, glyphs: glyphs) }
    return ellipsized(String(name.dropLast(tail.count)), columns: columns - tail.count, glyphs: glyphs) + tail
}

/// The columns of parts with a separator between them.
package func columnWidth(of parts: [String], separator: String) -> Int {
    parts.reduce(0) { $0 + columnWidth(of: $1) } + columnWidth(of: separator) * max(0, parts.count - 1)
}

/// As many of the first parts as fit into a width in columns; the first is cut if necessary.
package func fitted(_ parts: [String], separator: String, columns: Int, glyphs: GlyphSet) -> String {
    guard let first = parts.first else { return "" }
    var result = first
    for part in parts.dropFirst() {
        let longer = result + separator + part
        guard columnWidth(of: longer) <= columns else { break }
        result = longer
    }
    return ellipsized(result, columns: columns, glyphs: glyphs)
}

/// Breaks a text between words into lines of at most this many columns; words that are too long are cut.
package func wrapped(_ text: String, columns: Int, glyphs: GlyphSet) -> [String] {
    guard columns > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        let longer = line.isEmpty ? String(word) : "\(line) \(word)"
        if columnWidth(of: longer) <= columns {
            line = longer
        } else {
            if !line.isEmpty { lines.append(line) }
            line = ellipsized(String(word), columns: columns, glyphs: glyphs)
        }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
}

/// The longest prefix of a text that fits into a width in columns.
private func prefix(of text: String, columns: Int) -> String {
    var kept = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
        used += scalar.columns
        if used > columns { break }
        kept.append(scalar)
    }
    return String(kept)
}
