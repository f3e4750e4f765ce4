/// A subcommand of `bedside`: declared once, used by the parser, the help text and the manual page.
public enum Subcommand: String, CaseIterable, Sendable {
    /// The screen; the one that runs when no subcommand is named.
    case dashboard
    /// What happens, in lines of words or of JSON.
    case watch
    /// A monitor in the background.
    case record
    /// What the running monitor shows, in one line.
    case status
    /// The alarm log of all runs.
    case alarms
    /// What was recorded: spells on the body, and summaries.
    case history
    /// What was recorded, in the forms that other programs read.
    case export
    /// What was recorded, as if it happened now.
    case replay
    /// Whether everything is there that Bedside needs.
    case doctor
    /// The configuration file.
    case config
    /// Octets to JSON.
    case decode
    /// Simulated sensors for other programs.
    case simulate

    /// Whether it is what runs when no subcommand is named.
    public var isDefault: Bool { self == .dashboard }

    /// What it does, in one sentence.
    public var summary: String {
        switch self {
        case .dashboard: "Show the sensors nearby and their vital signs on one screen."
        case .watch: "Print what happens in lines, for people without a screen and for other programs."
        case .record: "Monitor in the background: sensors, alarms, notifications, hook and store, without a screen."
        case .status: "Print what the running monitor shows in one line, for a glance, a script or a status bar."
        case .alarms: "Print the alarm log: every alarm, and what was done about it."
        case .history: "Print what was recorded: when sensors were worn, and summaries."
        case .export: "Write recorded readings as CSV, JSON lines or FHIR."
        case .replay: "Play what was recorded, or a capture of Bluetooth traffic, labelled REPLAY on every screen."
        case .doctor: "Check everything that Bedside needs, and say what helps where something is wrong."
        case .config:
            "Print or create the default configuration file, check a file, tell where it belongs, or list the themes."
        case .decode: "Decode the octets of a Bluetooth health characteristic to JSON."
        case .simulate: "Serve simulated sensors as BlueZ would, on a message bus of their own."
        }
    }

    /// What it does, in as many sentences as it takes.
    public var explanation: String {
        switch self {
        case .dashboard:
            """
            Sensors are discovered at once; the arrow keys select one and Enter connects it. What you connect is remembered \
            in $XDG_STATE_HOME/bedside/sensors.json and connected again at the next start. With no Bluetooth adapter, \
            no bluetoothd or no message bus the screen says so, with the remedy, and goes on by itself when it comes.
            """
        case .watch:
            """
            Connects to the sensors that are remembered and to those that --connect names, and prints readings, \
            connections, alarms and whatever else happens, until it is interrupted. It needs no terminal. With --json \
            every event is one JSON object in a line. Without it a line of plain words tells each change: for a braille \
            display, a screen reader, a pager or a log.
            """
        case .record:
            """
            Does all that the screen does except show it, until it is interrupted, and tells on standard error that it \
            has begun, which sensors come and go, alarms, trouble and its end, in lines that suit a journal; values are \
            in the store. Where there is no message bus it waits for one. As a service of systemd it says when it is \
            ready, how it is, and, where that is asked for, that it is alive; --systemd-unit prints a unit for it. \
            SIGHUP has it read the configuration again: limits, rules and delays follow at once, everything else at \
            the next start; a file that is wrong is complained of and changes nothing.
            """
        case .status:
            """
            Asks the monitor that runs, a screen or one without, by its socket in $XDG_RUNTIME_DIR/bedside, and prints \
            heart rate, oxygen saturation, temperature and the worst alarm. Where there is no measurement it says why, \
            and a number that is not current has its age beside it. Where no monitor runs it says so and ends with \
            status 3; the formats of status bars print that, too, with status 0. It changes nothing and waits two \
            seconds at most.
            """
        case .alarms:
            """
            Prints every alarm that was raised, in this run of Bedside and earlier ones, each state that it entered, and \
            every action, the oldest first; --json prints one JSON object a line, with the fields of watch and some \
            more. It may run while a monitor writes the log, and needs no memory for it. Where nothing has been recorded \
            yet it says so, which is no error. A store that is damaged, or that a newer Bedside made, is left as it is \
            and answered with status 65, one that cannot be read with 66.
            """
        case .history:
            """
            Prints the spells of each sensor on the body, from the first value to the last, and for each hour, or each \
            such wearing, and each vital the lowest value, the median, the highest, the part of the time that was \
            measured, and how long the value was outside the limits in the configuration. Without --from it begins 24 \
            hours ago. Values that are at most five minutes apart are one wearing. It may run while a monitor records.
            """
        case .export:
            """
            Writes every reading, with its value or the reason why there is none, the oldest first. Without --from it \
            begins with the first. It needs no more memory for a month than for a minute, and may run while a monitor \
            records. A file is there when it is complete or not at all, and none is replaced without --force. A store \
            that is damaged, or that a newer Bedside made, is left as it is and answered with status 65, one that \
            cannot be read with 66, output that cannot be written with 74.
            """
        case .replay:
            """
            FILE is a capture of Bluetooth traffic (btsnoop of btmon -w or of Android, pcap, pcapng) or a store of \
            Bedside's; without it the patient's own record is played, its last 24 hours unless --from says otherwise. \
            Everything goes the way that it goes from live sensors, alarms and fever rules included, judged by the present \
            settings, and comes out the same at any speed. Nothing of it is recorded, sounds, notifies or runs the hook. \
            On the screen Space pauses, < and > change the speed, { and } go back and forward by a minute, ( and ) by an \
            hour, and a full stop plays up to the next reading. A file that is damaged is played as far as it goes, with a \
            sentence; one that is no recording is answered with status 65, one that cannot be read with 66.
            """
        case .doctor:
            """
            Looks at the message bus, bluetoothd, the adapters, their roles, power and radio switches, permission, the \
            terminal, locale and glyphs, the user's folders and configuration, and prints for each ok, advice or \
            trouble, with the remedy. It changes nothing and never waits long. The exit status is 0 when all is well, 1 \
            for advice (Bedside works) and 2 for trouble (it cannot do its work).
            """
        case .config:
            """
            Without an argument it prints the default file, every setting with its comment; with create it puts that \
            file where it belongs, unless there is one already. With check it tells file, \
            line, column and reason of everything that is wrong in FILE, or in the usual file, with path it prints \
            where that is, and with themes the names of all themes, your own with their files. Settings come from the built-in defaults, then the file, then the command line; the later \
            one wins.
            """
        case .decode:
            """
            UUID is a 16-bit or 128-bit characteristic UUID, HEX its octets in hexadecimal, with or without spaces, \
            colons or dashes. With - for both it reads lines of "UUID HEX" from standard input and answers each with \
            one line.
            """
        case .simulate:
            """
            Prints the D-Bus address of the simulated system bus and serves until it is interrupted. Any BlueZ client \
            can be pointed at it through DBUS_SYSTEM_BUS_ADDRESS.
            """
        }
    }

    /// The options that it takes.
    public var options: [Option] {
        switch self {
        case .dashboard:
            [
                .patient, .connect, .view, .adapter, .strengthFloor, .simulate, .bed, .fahrenheit, .glyphs, .color,
                .colors,
                .theme,
                .trendWindow, .reduceMotion, .showCursor, .mouse, .noWelcome, .noRecording, .configuration,
                .noConfiguration, .set, .help, .version, .manual,
            ]
        case .watch:
            [
                .json, .patient, .connect, .view, .adapter, .simulate, .interval, .duration, .count, .fahrenheit,
                .noRecording,
                .configuration, .noConfiguration, .set, .help,
            ]
        case .status:
            [
                .statusFormat, .json, .follow, .patient, .simulatedMonitor, .fahrenheit, .ascii, .configuration,
                .noConfiguration, .help,
            ]
        case .record:
            [
                .patient, .connect, .adapter, .simulate, .duration, .noRecording, .configuration, .noConfiguration,
                .set, .systemdUnit, .help,
            ]
        case .alarms:
            [
                .json, .patient, .from, .alarmClass, .priority, .actions, .newestEntries, .simulatedLog,
                .configuration,
                .noConfiguration, .help,
            ]
        case .history:
            [
                .json, .patient, .from, .to, .vitals, .summaryPart, .simulatedStore, .configuration, .noConfiguration,
                .help,
            ]
        case .export:
            [
                .exportFormat, .patient, .from, .to, .vitals, .output, .force, .subject, .simulatedStore,
                .configuration,
                .noConfiguration, .help,
            ]
        case .replay:
            [
                .patient, .speed, .from, .to, .replayDuration, .json, .lines, .interval, .count, .handle,
                .simulatedStore, .bed, .fahrenheit, .glyphs, .color, .colors, .theme, .trendWindow, .reduceMotion,
                .showCursor, .mouse, .configuration, .noConfiguration, .set, .help,
            ]
        case .doctor: [.json, .configuration, .noConfiguration, .help]
        case .config: [.help]
        case .decode: [.explain, .list, .endToEndCRC, .help]
        case .simulate: [.help]
        }
    }

    /// What follows the options, for the usage line.
    public var operands: String {
        switch self {
        case .dashboard, .watch, .record, .status, .alarms, .history, .export, .doctor: ""
        case .config: "[create | check [FILE] | path | themes]"
        case .decode: "UUID HEX"
        case .simulate: "[SCENARIO]"
        case .replay: "[FILE]"
        }
    }

    /// How many operands it takes.
    var operandCount: ClosedRange<Int> {
        switch self {
        case .dashboard, .watch, .record, .status, .alarms, .history, .export, .doctor: 0...0
        case .config: 0...2
        case .decode: 0...Int.max
        case .simulate, .replay: 0...1
        }
    }

    /// The line that shows how to call it.
    public var usage: String {
        var parts = ["bedside"]
        if !isDefault { parts.append(rawValue) }
        parts.append("[OPTION]...")
        if !operands.isEmpty { parts.append(operands) }
        return parts.joined(separator: " ")
    }
}
