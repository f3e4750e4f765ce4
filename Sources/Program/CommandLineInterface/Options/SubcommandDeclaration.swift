/// The declaration of a subcommand.
struct SubcommandDeclaration: Sendable {
    /// What it does, in one sentence.
    var summary: String
    /// What it does, in several sentences if necessary.
    var explanation: String
    /// The accepted options.
    var options: [Option]
    /// The operands after the options, for the usage line.
    var operands = ""
    /// The accepted number of operands.
    var operandCount = 0...0
    /// Examples of commands.
    var examples: [SubcommandExample] = []
}

// The subcommands that monitor, or use a running monitor.
extension SubcommandDeclaration {
    static let dashboard = SubcommandDeclaration(
        summary: "Show the sensors nearby and their vital signs on one screen.",
        explanation: """
            Sensors are discovered at once; the arrow keys select one and Enter connects it. What you connect is \
            remembered and connected again at the next start. With no Bluetooth adapter, no bluetoothd or no message \
            bus the screen says so, with the remedy, and recovers by itself.
            """,
        options: [
            .patient, .connect, .view, .adapter, .strengthFloor, .simulate, .bed, .fahrenheit, .glyphs, .color,
            .colors,
            .theme,
            .trendWindow, .reduceMotion, .showCursor, .mouse, .noWelcome, .noRecording, .configuration,
            .noConfiguration, .set, .help, .version, .manual,
        ],
        examples: [
            SubcommandExample("bedside --simulate", "Look at it with simulated sensors."),
            SubcommandExample(
                "bedside --connect \"Polar H10\" --bed \"Bed 12\"",
                "Connect to a sensor as soon as it is heard, and name the bed."),
            SubcommandExample(
                "bedside --patient bed-12 --set fever.threshold=38.5",
                "Monitor one of several patients, with another threshold of fever."),
        ])

    static let watch = SubcommandDeclaration(
        summary: "Print what happens in lines, for people without a screen and for other programs.",
        explanation: """
            Connects to the sensors that are remembered and to those that --connect names, and prints readings, \
            connections, alarms and other events, until it is interrupted. It needs no terminal. With --json \
            every event is one JSON object in a line. Without it each change is a line of plain text: for a braille \
            display, a screen reader, a pager or a log.
            """,
        options: [
            .json, .waves, .patient, .connect, .view, .adapter, .simulate, .interval, .duration, .count, .fahrenheit,
            .sound, .noRecording,
            .configuration, .noConfiguration, .set, .help,
        ],
        examples: [
            SubcommandExample(
                "bedside watch --connect all",
                "Connect to all vital-sign sensors, and print what happens."),
            SubcommandExample("bedside watch --json --for 8h >night.jsonl", "Write eight hours as JSON into a file."),
            SubcommandExample(
                "bedside watch --json --waves --connect all --for 10m >ecg.jsonl",
                "Write ten minutes with the samples of ECG and plethysmogram into a file."),
            SubcommandExample(
                "bedside watch --json --connect all --count 20 | jq .value", "Hand twenty readings to another program."),
        ])

    static let record = SubcommandDeclaration(
        summary: "Monitor in the background: sensors, alarms, notifications, hook and store, without a screen.",
        explanation: """
            Does all that the screen does except show it, until it is interrupted, and logs on standard error that it \
            has started, which sensors connect and disconnect, alarms, problems and its end, in lines for a journal; \
            values are in the store. Without a message bus it waits for one. As a service of systemd it reports when \
            it is ready, its state and, if the watchdog is enabled, that it is alive; --systemd-unit prints a unit for \
            it. SIGHUP makes it read the configuration again: limits, rules and delays change at once, everything else \
            at the next start; a wrong file is reported and changes nothing.
            """,
        options: [
            .patient, .connect, .adapter, .simulate, .duration, .sound, .noRecording, .configuration, .noConfiguration,
            .set, .systemdUnit, .perPatient, .hardened, .help,
        ],
        examples: [
            SubcommandExample(
                "bedside record --connect all --sound",
                "Monitor without a screen, with alarms that sound."),
            SubcommandExample(
                "bedside record --systemd-unit --connect all >bedside.service",
                "Write a unit that does so at each login."),
        ])

    static let status = SubcommandDeclaration(
        summary: "Print what the running monitor shows in one line, for a glance, a script or a status bar.",
        explanation: """
            Asks the running monitor, with or without a screen, through its socket in $XDG_RUNTIME_DIR/bedside, and \
            prints heart rate, oxygen saturation, temperature and the worst alarm. Where there is no measurement it \
            says why, and a number that is not current is followed by its age. Where no monitor runs it says so and \
            ends with status 3; the formats of status bars print that, too, with status 0. It changes nothing and \
            waits two seconds at most.
            """,
        options: [
            .statusFormat, .json, .follow, .patient, .simulatedMonitor, .fahrenheit, .ascii, .configuration,
            .noConfiguration, .help,
        ],
        examples: [
            SubcommandExample("bedside status", "Look at the running monitor."),
            SubcommandExample("bedside status --format tmux --follow", "Keep a line of tmux up to date."),
        ])
}

// The subcommands around monitoring.
extension SubcommandDeclaration {
    static let setup = SubcommandDeclaration(
        summary: "Set Bedside up on the first evening, step by step on one page.",
        explanation: """
            Looks at this computer as doctor does, searches for sensors, and asks for their names, bed or patient, units, \
            for whom the limits are, how alarms are heard and seen, and whether a monitor starts by itself. Every step can \
            be skipped and taken back; the last one shows what will be written, and before it nothing is changed. With \
            --answers it asks nothing and takes the answers from a file; wrong ones are reported with their line, status \
            65, and nothing is written. Later runs begin with what is there. With --simulate it is a trial with simulated \
            sensors: the last step shows what would be written, and nothing is.
            """,
        options: [.answers, .setupDryRun, .simulate, .configuration, .help],
        examples: [
            SubcommandExample("bedside setup", "Be led through everything, on the first evening."),
            SubcommandExample("bedside setup --simulate", "Try that without a sensor; nothing is written."),
            SubcommandExample("bedside setup --answers answers.toml --dry-run", "See what these answers would write."),
        ])

    static let doctor = SubcommandDeclaration(
        summary: "Check everything that Bedside needs, and print a remedy for each problem.",
        explanation: """
            Checks the message bus, bluetoothd, the adapters, their roles, power and radio switches, permission, the \
            terminal, locale and glyphs, the user's folders and configuration, the sound, and a ward's broker \
            with certificates, access list, clocks and leftovers, and prints for each ok, advice or trouble, with the \
            remedy. It changes nothing and never waits long. The exit status is 0 when all is well, \
            1 for advice (Bedside works) and 2 for trouble (it cannot do its work).
            """,
        options: [.tone, .listen, .json, .color, .configuration, .noConfiguration, .help],
        examples: [
            SubcommandExample("bedside doctor", "See why sensors are not found."),
            SubcommandExample("bedside doctor --tone", "Hear whether alarms can be heard."),
        ])

    static let config = SubcommandDeclaration(
        summary: "Print or create the configuration file, check one, print its path, or list the themes.",
        explanation: """
            Without an argument it prints the default file, every setting with its comment; with create it writes the \
            settings that people change most into a file where it belongs, unless there is one already. With check it prints file, line, column and reason of \
            every error in FILE, or in the default file, with path it prints its path, and with themes the names of \
            all themes, your own with their files. Settings come from the built-in defaults, then the file, then the \
            command line; the later one wins.
            """,
        options: [.help],
        operands: "[create | check [FILE] | path | themes]", operandCount: 0...2,
        examples: [
            SubcommandExample("bedside config create", "Create the file to edit."),
            SubcommandExample("bedside config check", "Check it."),
        ])

    static let decode = SubcommandDeclaration(
        summary: "Decode the octets of a Bluetooth health characteristic to JSON.",
        explanation: """
            UUID is a 16-bit or 128-bit characteristic UUID, HEX its octets in hexadecimal, with or without spaces, \
            colons or dashes. With - for both it reads lines of "UUID HEX" from standard input and answers each with \
            one line.
            """,
        options: [.explain, .list, .endToEndCRC, .color, .pager, .help],
        operands: "UUID HEX", operandCount: 0...Int.max,
        examples: [
            SubcommandExample("bedside decode 2A37 06 4D", "Decode a heart rate."),
            SubcommandExample("bedside decode --explain 2A1C 00 6D 01 00 FF", "Explain the octets of a temperature."),
        ])

    static let trace = SubcommandDeclaration(
        summary: "Print the Bluetooth traffic with sensors, for a report of a fault.",
        explanation: """
            Prints in lines, until it is interrupted, when SENSOR (its name or address; by default all sensors) is heard, \
            connected, paired and disconnected, which services and characteristics it has, and every read, write, \
            subscription and notification with its octets and each error of BlueZ. It reads the running monitor; where \
            none runs it monitors as watch does, and connects SENSOR. Pass-keys and PINs are never in a trace, and the \
            octets of an authentication are only counted. Names, addresses and values are: give it only to whom you trust.
            """,
        options: [
            .traceOutput, .traceRead, .traceSubscribe, .traceWrite, .traceYes, .duration, .patient, .connect, .view,
            .adapter, .simulate, .noRecording, .configuration, .noConfiguration, .set, .help,
        ],
        operands: "[SENSOR]", operandCount: 0...1,
        examples: [
            SubcommandExample(
                "bedside trace \"Polar H10\" -o fault.btsnoop >fault.txt",
                "Write what a sensor and Bedside say to each other, as lines and as a capture."),
            SubcommandExample(
                "bedside trace C0:52:49:00:00:02 --subscribe 2A37", "See the octets of one characteristic."),
        ])

    static let simulate = SubcommandDeclaration(
        summary: "Serve simulated sensors as BlueZ would, on a private message bus.",
        explanation: """
            Prints the D-Bus address of the simulated system bus and serves until it is interrupted. Any BlueZ client \
            can be pointed at it through DBUS_SYSTEM_BUS_ADDRESS.
            """,
        options: [.help],
        operands: "[SCENARIO]", operandCount: 0...1,
        examples: [
            SubcommandExample(
                "bedside simulate steady",
                "Serve three sensors that are always there.")
        ])

    static let sound = SubcommandDeclaration(
        summary: "Play the sound of an alarm or of the pulse, or write it to a file.",
        explanation: """
            NAME is a priority (high, medium or low), a category (cardiac, oxygen, temperature, equipment or general, \
            with high priority), both, such as medium-oxygen, reminder, or pulse-98 for the tone of a pulse at that \
            saturation. It plays by ALSA's default output, as the screen does.
            """,
        options: [.soundList, .soundOutput, .help],
        operands: "[NAME]", operandCount: 0...1,
        examples: [
            SubcommandExample("bedside sound medium-oxygen", "Hear an alarm."),
            SubcommandExample("bedside sound pulse-88 -o pulse.wav", "Write the tone of a pulse to a file."),
        ])

    static let help = SubcommandDeclaration(
        summary: "Print the help of a command.",
        explanation:
            "bedside help COMMAND is the same as bedside COMMAND --help; without COMMAND it is bedside --help.",
        options: [.pager, .help],
        operands: "[COMMAND]", operandCount: 0...1,
        examples: [
            SubcommandExample("bedside help watch", "Print the help of a command."),
            SubcommandExample("bedside help --pager record", "Read it page by page."),
        ])

    static let completions = SubcommandDeclaration(
        summary: "Print the completion of the command line for a shell.",
        explanation: """
            SHELL is bash, zsh or fish. In bash, source <(bedside completions bash) in ~/.bashrc; in zsh, write it to a \
            file _bedside in a folder of $fpath; in fish, write it to ~/.config/fish/completions/bedside.fish. With sensors it prints \
            what these offer for --connect: the remembered sensors of the patient, each with its address.
            """,
        options: [.patient, .simulatedStore, .configuration, .noConfiguration, .help],
        operands: "SHELL | sensors", operandCount: 0...1,
        examples: [
            SubcommandExample(
                "source <(bedside completions bash)",
                "Let this Bash complete commands, options and sensors."),
            SubcommandExample("bedside completions zsh >_bedside", "Write the completion for the Z shell."),
            SubcommandExample("bedside completions sensors", "List the sensors that are offered."),
        ])
}
