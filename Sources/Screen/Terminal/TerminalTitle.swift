import CNcurses

/// The title of a terminal's window or tab, set with the control sequences of xterm.
enum TerminalTitle {
    /// Saves the present title (XTWINOPS 22) for ``restoring``; other terminals ignore it.
    static let saving = "\u{1B}[22;0t"
    /// Restores the saved title (XTWINOPS 23).
    ///
    /// The present one is removed first: a terminal that has saved none would keep a number that is not measured.
    static let restoring = setting("") + "\u{1B}[23;0t"

    /// Sets the title (OSC 2); no character of the text can end the sequence or begin another one.
    static func setting(_ text: String) -> String {
        // The set of control characters is fixed (The Unicode Standard, section 23.1), so that no slow table is needed.
        let shown = text.unicodeScalars.prefix(200).filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        // Terminated by ST (ECMA-48), because the other usual terminator is the bell's character, which is for alarms.
        return "\u{1B}]2;\(String(String.UnicodeScalarView(shown)))\u{1B}\\"
    }

    /// Whether a terminal has a title that is set in this way; others might show the sequence on the screen.
    ///
    /// The terminal's description must have a status line that is a title, or its type must be known to have one.
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
    /// Shows a text as the terminal's title if ``hasTitle``; writes nothing when the title is unchanged or the terminal
    /// accepts no output.
    public func show(title: String) {
        guard hasTitle, title != self.title, takesOutput else { return }
        self.title = title
        write(TerminalTitle.setting(title))
    }
}
