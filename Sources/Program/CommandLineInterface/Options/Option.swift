import Formats

/// An option of the command line, declared once for the parser, the help text and the manual page.
public struct Option: Hashable, Sendable {
    /// The name after the two dashes.
    public let name: String
    /// The one-letter form, if there is one.
    public let letter: Character?
    /// Whether a value follows.
    public let value: Value
    /// What the option does, in one or more sentences, for help and manual page.
    public let explanation: String
    /// Aliases, such as a former name.
    let aliases: [String]

    /// Whether an option takes a value; the text is the name of the value in the help.
    public enum Value: Hashable, Sendable {
        /// No value.
        case none
        /// The value follows, or is joined by an equals sign.
        case required(String)
        /// A value that can only follow an equals sign.
        case optional(String)
    }

    init(
        _ name: String, letter: Character? = nil, value: Value = .none, aliases: [String] = [], _ explanation: String
    ) {
        self.aliases = aliases
        self.name = name
        self.letter = letter
        self.value = value
        self.explanation = explanation
    }

    /// The accepted names, beginning with the documented one.
    var names: [String] { [name] + aliases }

    /// The option with its value, such as `--connect NAME` or `--simulate[=SCENARIO]`.
    public var usage: String {
        switch value {
        case .none: "--\(name)"
        case .required(let value): "--\(name) \(value)"
        case .optional(let value): "--\(name)[=\(value)]"
        }
    }
}

extension Option {
    public static let simulate = Option(
        "simulate", value: .optional("SCENARIO"),
        """
        Use simulated sensors instead of the radio, labelled SIMULATED on every screen. SCENARIO is a file, or one of \
        the built-in ward-evening, steady, devices, ecg, pleth, ring-nights and ring-s-nights; others that show what \
        happens to waves and files, such as ecg-ectopic and ring-nights-damaged, are listed if there is no such file. Without it ward-evening is a trial: on the \
        screen it begins with two invented weeks, and what was connected is connected again.
        """)
    public static let connect = Option(
        "connect", letter: "c", value: .required("NAME"),
        """
        Connect to the sensor with this name or address as soon as it is heard, and again whenever it is lost; all \
        takes the vital-sign sensors that are found, at most 24 of each kind, except those that you have disconnected. \
        May be given several times. A name stands for one sensor; of several with the same name, say which by its \
        address. A sensor that is named is remembered, and connected at the next start without being named.
        """)
    public static let adapter = Option(
        "adapter", value: .required("ID"),
        """
        Use the Bluetooth adapter ID, such as hci1, and no other one. By default the first one that is switched on.
        """)
    /// `--config`.
    public static let configuration = Option(
        "config", value: .required("FILE"),
        "Take the settings from FILE instead of the default configuration file (see bedside config path).")
    /// `--no-config`.
    public static let noConfiguration = Option(
        "no-config",
        """
        Start with the default settings and limits and read no configuration file, for instance because it is wrong \
        and there is no time to correct it.
        """)
    public static let set = Option(
        "set", value: .required("SETTING=VALUE"),
        """
        Give any setting of the configuration file another value for this run, such as fever.threshold=38.5. May be \
        given several times.
        """)
    public static let bed = Option("bed", value: .required("LABEL"), "Show LABEL beside the title, such as \"Bed 12\".")
    /// `--rssi-floor`.
    public static let strengthFloor = Option(
        "rssi-floor", value: .required("DBM"),
        """
        Do not list sensors with a weaker signal than DBM, such as -80, unless you have connected or named them; off \
        (the default) lists all. The key w steps through such floors.
        """)
    public static let fahrenheit = Option("fahrenheit", "Show temperatures in degrees Fahrenheit.")
    public static let glyphs = Option(
        "glyphs", value: .required("SET"),
        """
        Draw with SET: braille, blocks or ascii. By default the finest one that the locale and the terminal can show.
        """)
    public static let color = Option(
        "color", value: .required("WHEN"),
        "Use colour: auto (the default; none where NO_COLOR is set), always or never.")
    public static let pager = Option(
        "pager",
        "Show it page by page, with the program that PAGER names, or else less; without a terminal it is printed.")
    public static let theme = Option(
        "theme", value: .required("THEME"),
        """
        Use the colours of THEME: dark, light, high-contrast, color-blind, or one of your own from a file; auto (the \
        default) follows the terminal's background where it is known, and terminal never paints one. bedside config \
        themes lists them.
        """)
    public static let colors = Option(
        "colors", value: .required("COUNT"),
        "Limit the number of colours: truecolor, 256, 16 or 8; auto (the default) uses what the terminal has.")
    public static let mouse = Option(
        "mouse",
        "Let a click select and the wheel scroll; without it the mouse selects text for the clipboard, as usual.")
    public static let noWelcome = Option("no-welcome", "Do not show the welcome page at the first start.")
    public static let trendWindow = Option(
        "trend-window", value: .required("TIME"),
        """
        Show trends of TIME at the start: 2m, 10m, 1h, 8h or 24h; auto (the default) takes the longest up to 8h of which \
        most is known. The keys + and - change it.
        """)
    public static let reduceMotion = Option("reduce-motion", "Do not let alarms flash.")
    public static let showCursor = Option(
        "show-cursor",
        """
        Show the cursor on the selected row. It is there anyway, where a screen reader or a braille display looks \
        for it; some of them follow only a visible one.
        """)
    public static let explain = Option(
        "explain", "Explain the octets field by field: offset, octets, name, meaning.")
    public static let list = Option("list", "List the characteristics that can be decoded.")
    /// `--e2e-crc`.
    public static let endToEndCRC = Option(
        "e2e-crc", value: .required("ANSWER"),
        """
        Whether records of a continuous glucose monitor carry a checksum: yes or no. Without it a record that is two \
        octets longer than its fields is taken to carry one.
        """)
    public static let json = Option("json", "Print one JSON object per line.")
    /// `--waves`.
    public static let waves = Option(
        "waves",
        """
        With --json: print the samples of ECG and plethysmogram, too, with their times; a strap is asked for its ECG \
        only then.
        """)
    public static let interval = Option(
        "interval", value: .required("TIME"),
        """
        Without --json: print a value that has changed no more often than once in TIME, 10s by default. Alarms, and \
        that there is no measurement, are printed at once.
        """)
    public static let duration = Option(
        "for", value: .required("TIME"), "End after TIME, such as 30s, 10m or 8h.")
    public static let count = Option("count", value: .required("N"), "End after N readings.")
    public static let view = Option(
        "view",
        """
        Show the monitor that runs elsewhere, such as bedside record, and never monitor by itself; wait for one where \
        there is none.
        """)
    public static let systemdUnit = Option(
        "systemd-unit", value: .optional("PROGRAM"),
        """
        Print a systemd user unit that runs this command with the other options given, and exit. PROGRAM is the path \
        of bedside in it, by default that of the program which prints it.
        """)
    public static let perPatient = Option(
        "per-patient",
        """
        With --systemd-unit: print a template of units, each for the patient whom its instance names, such as \
        bedside@bed-12.service.
        """)
    public static let hardened = Option(
        "hardened",
        """
        With --systemd-unit: restrict the service further, where the computer permits user namespaces; the command for \
        alarms can then use neither ssh nor sudo.
        """)
    public static let alarmClass = Option(
        "class", value: .required("CLASS"), "Print alarms of CLASS only: physiological or technical.")
    public static let priority = Option(
        "priority", value: .required("PRIORITY"),
        "Print alarms of PRIORITY (high, medium or low) or a higher one only.")
    public static let actions = Option("actions", "Print only the actions of users and of the program on alarms.")
    /// `--count` of `bedside alarms`.
    public static let newestEntries = Option(
        "count", value: .required("N"), "Print only the newest N of these entries.")
    /// `--simulate` of `bedside alarms`.
    public static let simulatedLog = Option(
        "simulate", "Print the log of simulated sensors, which is kept separately.")
    /// `--once` of `bedside send`.
    public static let once = Option("once", "Send what is there, and end.")
    /// `--present-patient` of `bedside send`.
    public static let presentPatient = Option(
        "present-patient",
        """
        The servers' patient is the one who is monitored now: send this one's record, though they got another one's before.
        """)
    public static let noRecording = Option(
        "no-record", "Record no readings in this run; the alarm log is kept nevertheless.")
    public static let from = Option(
        "from", value: .required("TIME"), aliases: ["since"],
        """
        Begin at TIME: a time span back from now, such as 30m, 8h or 1d, or a date, such as 2026-01-02, optionally \
        with a time of day, such as 2026-01-02T03:04 in local time, or with Z or an offset such as +01:00 at its end; \
        a time of day alone, such as 03:04, is the last one. --since is the same.
        """)
    public static let to = Option("to", value: .required("TIME"), "End before TIME, which is written as for --from.")
    public static let vitals = Option(
        "vitals", value: .required("LIST"),
        "Take these only, such as heart_rate,spo2 or blood_pressure; by default all.")
    /// `--by` of `bedside history`.
    public static let summaryPart = Option(
        "by", value: .required("PART"),
        "Summarize by PART: hour (the default), or wearing, a period in which a sensor was worn.")
    /// `--format` of `bedside export`.
    public static let exportFormat = Option(
        "format", value: .required("FORMAT"),
        """
        Write FORMAT: csv (the default), a line for each reading; csv-wide, a line for each second and a column for \
        each sensor and vital; jsonl, JSON lines as watch prints them; fhir, a Bundle of HL7 FHIR R4; influx, the \
        line protocol of InfluxDB, for databases of time series; rr, a line for each RR interval of a heart-rate sensor; \
        waves, a line for each sample of an ECG or a plethysmogram; fhir-waves, these as SampledData of FHIR; edf, \
        vitals, waves and nights as signals of EDF+; viatom-csv, the nights of an oximeter as the maker of the rings \
        writes them; ring-file, the file of one night as the ring stored it.
        """)
    /// `--format` of `bedside report`.
    public static let reportFormat = Option(
        "format", value: .required("FORMAT"),
        """
        Print FORMAT: text (the default), json, the same as --json, or html, one page with pictures, without a script, \
        to print or to hand over.
        """)
    /// `--output` of `bedside export` and `bedside report`.
    public static let output = Option(
        "output", letter: "o", value: .required("FILE"),
        "Write to FILE, which appears when it is complete; by default, and for -, to standard output.")
    /// `--force` of `bedside export` and `bedside report`.
    public static let force = Option("force", "Replace FILE if it is there already.")
    /// `--format` of `bedside import`.
    public static let importFormat = Option(
        "format", value: .required("FORMAT"),
        """
        Read FORMAT: csv, a table that export wrote, one with the columns time, kind, value and perhaps unit, site and \
        note, a night by the maker of the rings, or blood pressures by omblepy; fhir, a Bundle or lines of resources of \
        HL7 FHIR R4; edf, the saturation and pulse of an EDF or EDF+ file; ring-file, a night as a ring stores it. \
        Without it the ending of FILE says which: .csv, .json, .ndjson, .edf, .dat or .vld.
        """)
    /// `--dry-run` of `bedside import`.
    public static let dryRun = Option(
        "dry-run", letter: "n", "Only list what would be imported and what is refused; without it, it is imported.")
    /// `--discard` of `bedside confirm`.
    public static let discard = Option(
        "discard", "Discard instead of confirming: it stays in the record, marked as a mistake.")
    /// `--record` of the commands that read the store.
    public static let record = Option(
        "record", value: .required("N"),
        """
        Select the record of an earlier patient by its number, all, or list to print all records with their times; by \
        default the present one. Another patient begins a new record.
        """)
    /// `--date` of `bedside night`.
    public static let nightDate = Option(
        "date", value: .required("DATE"),
        "Print the night that ends on DATE at noon, such as 2026-11-28; by default the last one.")
    /// `--days` of `bedside report`.
    public static let days = Option(
        "days", value: .required("N"), "Report the last N days, today included; 14 without this option.")
    /// `--yes` of `bedside enter` and `bedside import`.
    public static let yes = Option("yes", letter: "y", "Enter unusual values, too.")
    public static let patient = Option(
        "patient", value: .required("NAME"),
        """
        Select the patient, if this computer monitors more than one: a name that you choose, \
        such as bed-12. Each patient has a separate store, limits and remembered sensors.
        """)
    /// `--subject` of `bedside export`.
    public static let subject = Option(
        "subject", value: .required("REFERENCE"),
        """
        In FHIR, the patient is REFERENCE, such as Patient/123. export writes it; by default the readings are of an \
        unassigned bed. import reads only this patient's entries; by default a file is about one.
        """)
    /// `--simulate` of `bedside history` and `bedside export`.
    public static let simulatedStore = Option(
        "simulate", "Use the data of simulated sensors, which are kept separately.")
    /// `--simulate` of `ward`.
    public static let simulatedBeds = Option(
        "simulate", "Show simulated beds and replays, too; they are refused otherwise.")
    public static let store = Option(
        "store", value: .required("FILE"),
        "Read FILE, such as a store of bedside collect, instead of the patient's own store.")
    public static let folder = Option(
        "folder", value: .required("DIR"),
        "The stores of bedside collect are in DIR; by default in the folder ward beside your own store.")
    public static let site = Option(
        "site", value: .required("NAME"), "Only the beds of this site; by default those of all sites.")
    /// `--format` of `bedside status`.
    public static let statusFormat = Option(
        "format", value: .required("FORMAT"),
        """
        Print for FORMAT: plain (the default), json, openmetrics, for databases of measurements, or one of the status \
        bars tmux, waybar and polybar, which show a missing monitor in place of the line.
        """)
    public static let follow = Option(
        "follow", letter: "f",
        "Print a line at each change, until interrupted, also when the monitor ends and starts again.")
    public static let ascii = Option(
        "ascii", "Print ASCII characters alone; by default where the locale has no others.")
    /// `--simulate` of `bedside status`.
    public static let simulatedMonitor = Option(
        "simulate",
        "Ask the newest monitor of simulated sensors, which is otherwise asked only where no other one runs or has crashed."
    )
    /// `--speed` of `bedside replay`.
    public static let speed = Option(
        "speed", value: .required("SPEED"),
        """
        Play SPEED times as fast as it happened, such as 10 or 0.5, or as fast as possible with max; by default 1 on \
        the screen, and max for lines.
        """)
    /// `--lines` of `bedside replay`.
    public static let lines = Option(
        "lines", "Print lines of text, as watch does, instead of the screen; also the default without a terminal.")
    /// `--for` of `bedside replay`.
    public static let replayDuration = Option(
        "for", value: .required("TIME"), "Play TIME of the recording, such as 30s, 10m or 8h.")
    /// `--handle` of `bedside replay`.
    public static let handle = Option(
        "handle", value: .required("HANDLE=UUID"),
        """
        Take HANDLE of a capture, such as 0x0010, for the characteristic UUID, such as 2A37, where nothing in the \
        capture names it because the sensor was discovered earlier. May be given several times.
        """)
    public static let sound = Option(
        "sound", "Let alarms sound through ALSA's default output, as they do with the screen.")
    /// `--output` of `bedside trace`.
    public static let traceOutput = Option(
        "output", letter: "o", value: .required("FILE"),
        """
        Write a capture to FILE, too, which must be new: btsnoop, which Wireshark, btmon and bedside replay read. Its \
        packets are composed from what bluetoothd reports.
        """)
    /// `--read` of `bedside trace`.
    public static let traceRead = Option(
        "read", value: .required("UUID"),
        "Read this characteristic of SENSOR, such as 2A19, once it is connected. May be given several times.")
    /// `--subscribe` of `bedside trace`.
    public static let traceSubscribe = Option(
        "subscribe", value: .required("UUID"),
        "Subscribe to this characteristic of SENSOR once it is connected. May be given several times.")
    /// `--write` of `bedside trace`.
    public static let traceWrite = Option(
        "write", value: .required("UUID=HEX"),
        """
        Write these octets to this characteristic of SENSOR, such as FFE1=01A0, once it is connected; asks first. What \
        controls a device that measures or treats a patient is refused.
        """)
    /// `--yes` of `bedside trace`.
    public static let traceYes = Option("yes", letter: "y", "Write without asking.")
    /// `--answers` of `bedside setup`.
    public static let answers = Option(
        "answers", value: .required("FILE"),
        """
        Take the answers from FILE, in TOML: settings in the sections of the configuration file, and [setup] with profile \
        (adult, child or chemotherapy), sensors (a list of { address = "…", label = "…" }) and start (login or boot).
        """)
    /// `--dry-run` of `bedside setup`.
    public static let setupDryRun = Option(
        "dry-run", letter: "n", "With --answers: only print what would be written.")
    /// `--tone` of `bedside doctor`.
    public static let tone = Option("tone", "Play a test tone through ALSA's default output.")
    /// `--listen` of `bedside doctor`.
    public static let listen = Option(
        "listen", "Play it, and say whether ALSA's default input, a microphone, hears it.")
    /// `--list` of `bedside sound`.
    public static let soundList = Option("list", "List the sounds.")
    /// `--output` of `bedside sound`.
    public static let soundOutput = Option(
        "output", letter: "o", value: .required("FILE"), "Write it to FILE as WAV instead of playing it.")
    public static let help = Option("help", letter: "h", "Print this help and exit.")
    public static let version = Option("version", letter: "V", "Print the version and exit.")
    /// `--man`.
    public static let manual = Option(
        "man", value: .optional("PAGE"),
        "Print a manual page in roff and exit: bedside (the default), bedside.toml or bedside-scenario.")
}
