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
            .json, .patient, .connect, .view, .adapter, .simulate, .interval, .duration, .count, .fahrenheit,
            .sound, .noRecording,
            .configuration, .noConfiguration, .set, .help,
        ],
        examples: [
            SubcommandExample(
                "bedside watch --connect all",
                "Connect to all vital-sign sensors, and print what happens."),
            SubcommandExample("bedside watch --json --for 8h >night.jsonl", "Write eight hours as JSON into a file."),
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
