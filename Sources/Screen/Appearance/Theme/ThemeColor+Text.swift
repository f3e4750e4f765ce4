extension Theme.Color {
    /// The names of the sixteen standard colours, whose exact values each terminal chooses.
    public static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright_black", "bright_red",
        "bright_green", "bright_yellow", "bright_blue", "bright_magenta", "bright_cyan", "bright_white",
    ]

    /// The indices among 16 that are reserved for alarms: red, yellow and cyan.
    static let reserved: Set<Int> = [1, 3, 6, 9, 11, 14]

    /// Reads a colour as users write it: `#ff8700`, or one of ``names``.
    ///
    /// For terminals of few colours `#ff8700` becomes the nearest that is not reserved for alarms.
    /// - Returns: `nil` when the text is no colour.
    public init?(_ text: String) {
        let text = text.lowercased()
        if let index = Self.names.firstIndex(of: text) {
            self.init(Int16(index), bright: Int16(index), basic: Int16(index % 8))
            return
        }
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"), let rgb = Int(text.dropFirst(), radix: 16),
            rgb >= 0, text.dropFirst().first != "+"
        else { return nil }
        self.init(rgb: rgb, bright: 0, basic: 0)
        bright = nearest(among: (0..<16).filter { !Self.reserved.contains($0) })
        basic = nearest(among: (0..<8).filter { !Self.reserved.contains($0) })
    }

    /// The colour as users write it.
    public var text: String {
        if palette < 16 { return Self.names[max(0, Int(palette))] }
        let digits = String(rgb, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
