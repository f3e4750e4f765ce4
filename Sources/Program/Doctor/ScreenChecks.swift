extension Facts {
    var terminalCheck: Check {
        guard let terminal else {
            return Check(
                "terminal", .skipped, "There is no terminal here; the screen needs one, \"bedside watch\" does not.")
        }
        if terminal.type.isEmpty {
            return Check(
                "terminal", .trouble, "TERM is not set, so the terminal's abilities are unknown.",
                remedy: "export TERM=xterm-256color")
        }
        guard terminal.isKnown else {
            return Check(
                "terminal", .trouble, "The terminal type \(terminal.type) is not known, or cannot show a screen.",
                remedy: "export TERM=xterm-256color, or sudo apt install ncurses-term")
        }
        let colors =
            terminal.isColorRefused
            ? "no colour wanted (NO_COLOR)" : terminal.colors < 8 ? "no colour" : "\(terminal.colors) colours"
        let finding = "\(terminal.type), \(terminal.columns) × \(terminal.rows) characters, \(colors)."
        if terminal.columns < 20 || terminal.rows < 4 {
            return Check("terminal", .advice, finding, remedy: "make the window 20 × 4 characters or larger")
        }
        return Check("terminal", .ok, finding)
    }

    var localeCheck: Check {
        let name = locale.name.isEmpty ? "not set" : locale.name
        guard locale.isInstalled else {
            return Check(
                "locale", .advice, "The locale \(name) is not installed, so only ASCII can be drawn.",
                remedy: "export LC_ALL=C.UTF-8")
        }
        guard locale.glyphs != "ascii" else {
            return Check(
                "locale", .advice, "The locale (\(name), \(locale.codeset)) has only ASCII to draw with.",
                remedy: "export LC_ALL=C.UTF-8")
        }
        return Check("locale", .ok, "\(name), \(locale.codeset).")
    }

    var glyphCheck: Check {
        switch locale.glyphs {
        case "braille":
            Check(
                "glyphs", .ok, "Braille. Where you see boxes here: bedside --glyphs=blocks, or --glyphs=ascii.",
                sample: locale.sample)
        case "blocks":
            Check("glyphs", .ok, "Blocks. Where you see boxes here: bedside --glyphs=ascii.", sample: locale.sample)
        default: Check("glyphs", .ok, "ASCII.", sample: locale.sample)
        }
    }

    var notificationCheck: Check {
        switch signals.notifications {
        case .yes: Check("notifications", .ok, "The desktop can show alarms.")
        case .unasked: Check("notifications", .skipped, "There is no session bus, so no desktop can show alarms.")
        default: Check("notifications", .skipped, "No program on the session bus shows notifications.")
        }
    }
}
