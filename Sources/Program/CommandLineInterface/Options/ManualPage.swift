import Appearance
import Configuration
import Formats

/// The manual page `bedside(1)` in roff, from the same tables as the help texts.
public enum ManualPage {
    /// The whole page.
    public static func text() -> String {
        var page = title("BEDSIDE", 1, "User Commands")
        page += section("NAME") + "bedside \\- bedside monitor for Bluetooth LE vital\\-sign sensors\n"
        page += section("SYNOPSIS")
        for (index, subcommand) in Subcommand.allCases.enumerated() {
            if index > 0 { page += ".br\n" }
            page += synopsis(subcommand)
        }
        page += section("DESCRIPTION") + escaped(Product.promise) + "\n.PP\n" + escaped(Product.disclaimer) + "\n"
        for subcommand in Subcommand.allCases {
            page += section(subcommand.isDefault ? "THE SCREEN" : "BEDSIDE \(subcommand.rawValue.uppercased())")
            page += escaped("\(subcommand.summary) \(subcommand.explanation)") + "\n"
            for option in subcommand.options { page += entry(option) }
        }
        page += section("EXAMPLES") + examples
        page += section("KEYS") + keys
        page += section("CONFIGURATION FILE") + escaped(SettingTable.summary) + "\n"
        page += ".BR bedside.toml (5)\nlists all settings.\n"
        page += section("EXIT STATUS")
        for status in ExitStatus.allCases {
            page += ".TP\n.B \(status.rawValue)\n\(escaped(status.explanation))\n"
        }
        page += section("ENVIRONMENT")
        for (name, text) in environment { page += ".TP\n.B \(name)\n\(escaped(text))\n" }
        page += section("FILES")
        for (name, text) in files { page += ".TP\n.I \(name)\n\(escaped(text))\n" }
        page += seeAlso("bedside.toml (5)", "bedside\\-scenario (5)", "bluetoothctl (1)", "bluetoothd (8)")
        return page
    }

    private static var examples: String {
        Subcommand.allCases.flatMap(\.examples).map { example in
            "\(escaped(example.purpose))\n.PP\n.RS 4\n.nf\n\\fB\(escaped(example.command))\\fR\n.fi\n.RE\n"
        }
        .joined(separator: ".PP\n")
    }

    private static var keys: String {
        var text =
            escaped("These are the default keys of the screen; [keys] in the configuration file changes them.") + "\n"
        for context in [KeyContext.everywhere] + KeyContext.allCases.filter({ $0 != .everywhere }) {
            let title = context == .everywhere ? "Everywhere" : context.title ?? "On the first page"
            text += ".SS \(escaped(title))\n"
            for binding in KeyBinding.table where binding.context == context {
                let words = binding.text(Settings().monitor)
                text += ".TP\n.B \(escaped(binding.name))\n\(escaped(words)).\n"
            }
        }
        return text
    }

    private static let files = [
        (
            "$XDG_CONFIG_HOME/bedside/themes/NAME.toml",
            "A theme of your own; by default below ~/.config. Its section [theme] has colours, and base for the theme that they change."
        ),
        (
            "$XDG_RUNTIME_DIR/bedside/monitor.sock",
            """
            The socket through which bedside status asks the running monitor; run/monitor.sock in the state folder \
            where the session has no runtime folder.
            """
        ),
        (
            "$XDG_DATA_HOME/bedside/store.sqlite",
            """
            The alarm log, the recorded readings, and what is remembered: the sensors that you have connected, \
            disconnected or named, and changed limits; by default below ~/.local/share. That of simulated sensors is in \
            the folder simulated beside it. A damaged one is kept beside it under a dated name when a monitor starts.
            """
        ),
    ]

    private static let environment = [
        ("DBUS_SYSTEM_BUS_ADDRESS", "The address of the system bus, if it is not the default one."),
        ("XDG_CONFIG_HOME", "The folder that holds bedside/bedside.toml; ~/.config by default."),
        (
            "COLORTERM",
            "When truecolor or 24bit, colours of your own are shown exactly, where the terminal's palette allows."
        ),
        ("COLORFGBG", "When it announces a light background, the theme auto is light."),
        (
            "COLUMNS",
            "How many characters fit into a line of help and of the doctor's report; otherwise the terminal says it."
        ),
        ("NO_COLOR", "When set and not empty, no colour is used, unless the option --color says otherwise."),
        ("PAGER, LESS", "The program that shows what is printed with --pager, by default less, and its options."),
        ("TERM", "The type of the terminal."),
        ("XDG_DATA_HOME", "The folder below which the store is kept."),
        (
            "DBUS_SESSION_BUS_ADDRESS",
            "The address of the session bus, for desktop notifications and requests to the monitor."
        ),
        ("XDG_RUNTIME_DIR", "The folder below which the running monitor has its socket."),
        (
            "NOTIFY_SOCKET, WATCHDOG_USEC",
            "Set by systemd for a service; bedside record sends its state and a watchdog signal there."
        ),
        (
            "JOURNAL_STREAM",
            "Set by systemd; where standard error is the journal, lines of bedside record begin with their priority."
        ),
        (
            "BEDSIDE_LANDLOCK",
            """
            When off, a monitor does not restrict itself to its own files, as it does where the kernel has Landlock and \
            neither a command for alarms nor speech is configured.
            """
        ),
        ("XDG_STATE_HOME", "The folder of the lock that lets one monitor run at a time."),
        ("LC_ALL, LC_CTYPE, LANG", "The locale, whose character set decides between braille, blocks and ASCII."),
    ]

    /// The first line of a page.
    static func title(_ name: String, _ section: Int, _ volume: String) -> String {
        ".TH \(escaped(name)) \(section) \(Product.date) \"bedside \(Product.version)\" \"\(volume)\"\n"
    }

    /// The section with the names of other pages, such as `bedside (1)`.
    static func seeAlso(_ pages: String...) -> String {
        section("SEE ALSO") + pages.map { ".BR \($0)" }.joined(separator: " ,\n") + "\n"
    }

    /// The heading of a section.
    static func section(_ title: String) -> String {
        ".SH \(title.contains(" ") ? "\"\(title)\"" : title)\n"
    }

    private static func synopsis(_ subcommand: Subcommand) -> String {
        let name = subcommand.isDefault ? "bedside" : "bedside \(subcommand.rawValue)"
        let rest = (["[\\fIOPTION\\fR]..."] + (subcommand.operands.isEmpty ? [] : ["\\fI\(subcommand.operands)\\fR"]))
        return "\\fB\(name)\\fR \(rest.joined(separator: " "))\n"
    }

    private static func entry(_ option: Option) -> String {
        let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
        return ".TP\n\(letter)\\fB\(escaped(option.usage))\\fR\n\(escaped(option.explanation))\n"
    }

    /// A text with the characters escaped that have a meaning in roff.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            default: result.append(character)
            }
        }
        // A full stop or an apostrophe at the start of a line would be a roff request.
        return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
    }
}

extension ManualPage {
    /// The page `bedside.toml(5)`, from the table of settings.
    public static func configurationText() -> String {
        var page = title("BEDSIDE.TOML", 5, "File Formats")
        page += section("NAME") + "bedside.toml \\- configuration file of bedside\n"
        page += section("SYNOPSIS") + ".I ~/.config/bedside/bedside.toml\n"
        page += section("DESCRIPTION") + escaped(SettingTable.summary) + "\n.PP\n"
        page += escaped(
            "bedside config prints a file with every setting and its default value, and bedside config check reports what is wrong with one."
        )
        page += "\n"
        for sectionOfFile in SettingTable.sections {
            page += section(escaped("[\(sectionOfFile.name)]")) + escaped(sectionOfFile.explanation) + "\n"
            for setting in SettingTable.settings where setting.section == sectionOfFile.name {
                page += ".TP\n.B \(escaped(setting.key))\n\(escaped(setting.explanation))\n"
                page += "Allowed: \(escaped(setting.expectation)). Usually: \(escaped(setting.defaultValue.literal)).\n"
                if let option = setting.option { page += "Option: \(escaped("--" + option)).\n" }
            }
        }
        return page + seeAlso("bedside (1)")
    }
}

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
