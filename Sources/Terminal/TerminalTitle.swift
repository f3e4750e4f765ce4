import CNcurses

/// The title of a terminal's window or tab, in the control sequences of xterm that all who have a title understand.
enum TerminalTitle {
    /// Puts the present title aside (XTWINOPS 22), for ``restoring``; terminals that cannot do that ignore it.
    static let saving = "\u{1B}[22;0t"
    /// Shows the title again that was put aside (XTWINOPS 23).
    static let restoring = "\u{1B}[23;0t"

    /// Sets the title (OSC 2); nothing in a text can end the sequence or begin another one.
    static func setting(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(200).filter { $0.properties.generalCategory != .control }
        // Ended as ECMA-48 has it: the other usual end is the bell's character, and that is for alarms.
        return "\u{1B}]2;\(String(String.UnicodeScalarView(shown)))\u{1B}\\"
    }

    /// Whether a terminal has a title that is set in this way; others would show the sequence on the screen.
    ///
    /// Its description tells of a status line that is one, or its type is known to have one.
    static func isPossible(_ traits: TerminalTraits) -> Bool {
        if tigetflag("hs") > 0, let begin = cncurses_capability("tsl"), String(cString: begin).hasPrefix("\u{1B}]") {
            return true
        }
        return families.contains { traits.type == $0 || traits.type.hasPrefix($0 + "-") }
    }

    private static let families = [
        "xterm", "rxvt", "tmux", "screen", "alacritty", "foot", "ghostty", "gnome", "kitty", "konsole", "mlterm",
        "putty",
        "st", "terminology", "vte", "wezterm",
    ]
}

extension Terminal {
    /// Shows a text as the terminal's title, if that is ours; nothing is written when it does so already, or takes
    /// nothing now.
    public func show(title: String) {
        guard hasTitle, title != self.title, takesOutput else { return }
        self.title = title
        write(TerminalTitle.setting(title))
    }
}
