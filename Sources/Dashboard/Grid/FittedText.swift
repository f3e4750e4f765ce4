/// Cuts a text to so many columns; an ellipsis stands for what was cut off.
func ellipsized(_ text: String, columns: Int, glyphs: GlyphSet) -> String {
    guard columnWidth(of: text) > columns else { return text }
    let room = columns - columnWidth(of: glyphs.ellipsis)
    guard room >= 1 else { return prefix(of: text, columns: max(0, columns)) }
    var cut = prefix(of: text, columns: room)
    while cut.last == " " {
        cut.removeLast()
    }
    return cut + glyphs.ellipsis
}

/// Cuts the name of a sensor to so many columns; the end of an address, which tells it apart from a namesake, is kept.
func ellipsizedName(_ name: String, columns: Int, glyphs: GlyphSet) -> String {
    let tail = name.suffix(6)
    let isDistinguished = tail.first == " " && tail.split(separator: ":").count == 2
    guard isDistinguished, columns > tail.count + 1 else { return ellipsized(name, columns: columns, glyphs: glyphs) }
    return ellipsized(String(name.dropLast(tail.count)), columns: columns - tail.count, glyphs: glyphs) + tail
}

/// As many of the parts, from the first on, as fit into so many columns together; the first is cut if it must be.
func fitted(_ parts: [String], separator: String, columns: Int, glyphs: GlyphSet) -> String {
    guard let first = parts.first else { return "" }
    var result = first
    for part in parts.dropFirst() {
        let longer = result + separator + part
        guard columnWidth(of: longer) <= columns else { break }
        result = longer
    }
    return ellipsized(result, columns: columns, glyphs: glyphs)
}

/// Breaks a text between words into lines of at most so many columns; words that are too long are cut.
func wrapped(_ text: String, columns: Int, glyphs: GlyphSet) -> [String] {
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

/// The longest beginning of a text that fits into so many columns.
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
