import Formats

extension Facts {
    var folderChecks: [Check] {
        if let folderProblem {
            return [Check("state", .advice, folderProblem, remedy: "export HOME=/path/to/a/folder")]
        }
        return folders.map(\.check) + [damagedStoreCheck, sensorCheck]
    }

    /// The most sensors that are listed.
    private static let sensorLimit = 8
    /// The battery level, in percent, at or below which a remedy is printed; as for the alarm.
    private static let lowBattery = 15

    private var sensorCheck: Check {
        guard !sensors.isEmpty else { return Check("sensors", .ok, "No sensor is remembered yet.") }
        let listed = sensors.prefix(Self.sensorLimit).map { sensor in
            sensor.name + (sensor.clauses.isEmpty ? "" : ": \(sensor.clauses.joined(separator: ", "))")
        }
        let more = sensors.count > listed.count ? "; and \(sensors.count - listed.count) more" : ""
        let finding = "\(sensors.count) remembered. \(listed.joined(separator: "; "))\(more)."
        let low = sensors.filter { $0.battery.map { $0 <= Self.lowBattery } ?? false }.map(\.name)
        guard !low.isEmpty else { return Check("sensors", .ok, finding) }
        return Check(
            "sensors", .advice, finding,
            remedy: "charge, or give a new battery: \(low.prefix(Self.sensorLimit).joined(separator: ", "))")
    }

    var refusalCheck: Check {
        let name = "in use"
        guard !refusing.isEmpty else { return Check(name, .ok, "No sensor refuses a running monitor.") }
        let listed = refusing.prefix(Self.sensorLimit).joined(separator: ", ")
        return Check(
            name, .advice,
            "\(listed): refused three times or more in a row, as by a sensor that is connected to a phone.",
            remedy: "close the phone app, or switch the phone's Bluetooth off")
    }

    /// The free bytes below which the disk is nearly full: the readings of ten days, as for the alarm.
    private static let leastDiskRoom: Int64 = 200_000_000

    var diskCheck: Check {
        let name = "disk"
        guard let diskRoom else { return Check(name, .skipped, "The free space for the record is not known.") }
        let megabytes = diskRoom / 1_000_000
        guard diskRoom < Self.leastDiskRoom else {
            return Check(
                name, .ok,
                megabytes < 10_000 ? "\(megabytes) MB are free." : "\(megabytes / 1000) GB are free.")
        }
        return Check(
            name, .advice, "The disk of the record is nearly full: \(megabytes) MB are free.",
            remedy: "remove what is not needed, and empty the wastebasket; bedside export saves the record elsewhere")
    }

    /// How far the clock may be behind the newest recorded value, in milliseconds: another computer may have written it.
    private static let tolerableDelay: Int64 = 60_000

    var clockCheck: Check {
        let name = "clock"
        guard let clock else { return Check(name, .skipped, "The clock was not compared with anything.") }
        let remedy = "sudo timedatectl set-ntp true, or set it by hand: sudo timedatectl set-time 'YYYY-MM-DD HH:MM'"
        let today = date(ofWallMilliseconds: clock.now)
        // Both are written with the year first.
        if today < Product.date {
            return Check(
                name, .advice, "The clock says \(today), which is before this version was made (\(Product.date)).",
                remedy: remedy)
        }
        if let newest = clock.newestValue, newest > clock.now, newest - clock.now > Self.tolerableDelay {
            return Check(
                name, .advice,
                "The clock says \(Self.minute(clock.now)), which is before the newest recorded value, of "
                    + "\(Self.minute(newest)) (UTC).",
                remedy: remedy)
        }
        return Check(name, .ok, "The clock says \(Self.minute(clock.now)) (UTC).")
    }

    /// A wall time in UTC up to the minute, such as `2026-01-02 03:04`.
    private static func minute(_ wallMilliseconds: Int64) -> String {
        let text = timestamp(ofWallMilliseconds: wallMilliseconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    private var damagedStoreCheck: Check {
        guard let first = damagedStores.first else { return Check("store", .ok, "No damaged store was set aside.") }
        let more = damagedStores.count == 1 ? "" : " (and \(damagedStores.count - 1) more)"
        return Check(
            "store", .advice, "A damaged store was set aside: values from before are in \(first)\(more).",
            remedy: "keep what is left of it (sqlite3 FILE .recover), then move it away")
    }

    var configurationCheck: Check {
        switch configuration {
        case .unknown: Check("config file", .skipped, "Not looked for, because the user's folders are not known.")
        case .absent(let path): Check("config file", .ok, "There is no \(path); all settings have their defaults.")
        case .valid(let path): Check("config file", .ok, "\(path) is valid.")
        case .invalid(_, let sentence, let count):
            Check(
                "config file", .trouble, count > 1 ? "\(sentence) (and \(count - 1) more)" : sentence,
                remedy: "correct it (bedside config check), or start with: bedside --no-config")
        }
    }

    var confinementCheck: Check {
        let name = "own files"
        switch confinement {
        case .restricts(let version):
            return Check(name, .ok, "A monitor can reach no other files of yours (Landlock, version \(version)).")
        case .unsuitable:
            return Check(name, .skipped, "Not with a command for alarms or speech, which need other files of yours.")
        case .switchedOff(let variable): return Check(name, .skipped, "Switched off by the variable \(variable).")
        case .unavailable:
            return Check(name, .skipped, "This kernel has no Landlock; a monitor can reach all your files.")
        }
    }
}

extension FolderFacts {
    var check: Check {
        let name = "\(purpose) folder"
        switch state {
        case .missing: return Check(name, .ok, "\(path) will be created when it is needed.")
        case .unusable(let reason):
            return Check(
                name, .advice, "\(path) cannot be written to (\(reason)), so nothing is kept there.",
                remedy: "see who owns it, or what is above it: namei -l \(path)")
        case .usable(let mode):
            let octal = String(mode & 0o777, radix: 8)
            // Settings are not secret; health data are.
            if purpose != "config", mode & 0o077 != 0 {
                return Check(
                    name, .advice, "\(path) can be entered by others (mode \(octal)).", remedy: "chmod 700 \(path)")
            }
            return Check(name, .ok, "\(path) can be written to (mode \(octal)).")
        }
    }
}

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
        if terminal.colors < 8, !terminal.isColorRefused {
            return Check(
                "terminal", .advice, finding, remedy: "export TERM=xterm-256color, where the terminal shows colours")
        }
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

extension Facts {
    var soundCheck: Check {
        switch signals.speakers {
        case .unasked: bellCheck(after: "")
        case .unavailable(let reason): bellCheck(after: "No loudspeaker: \(reason). ")
        case .opened:
            Check(
                "sound", .ok,
                "A loudspeaker, by ALSA's default output; whether it is audible is not known: bedside doctor --listen.")
        case .played:
            Check("sound", .ok, "ALSA's default output has accepted a tone; whether anybody heard it is not known.")
        case .heard(let decibels):
            Check("sound", .ok, "The microphone heard the tone, \(decibels) dB above the silence before it.")
        case .notHeard:
            Check(
                "sound", .advice, "The tone was played, and the microphone did not hear it.",
                remedy: "turn the loudspeaker up (alsamixer), and the microphone towards it")
        case .muted:
            Check(
                "sound", .advice, "The tone was played, and the microphone delivers nothing, not even noise.",
                remedy: "switch the microphone on: alsamixer --view capture")
        case .noMicrophone(let reason):
            Check(
                "sound", .skipped, "The tone was played, and nothing here can say whether it was heard: \(reason).")
        }
    }

    private func bellCheck(after beginning: String) -> Check {
        let bell =
            !signals.hasBell
            ? "Without a terminal there is no bell."
            : signals.isRemote
                ? "The bell of the remote terminal; whether it is audible is not known."
                : "The terminal's bell; whether it is audible is not known."
        if signals.isToneWanted || signals.isSoundWanted && !beginning.isEmpty {
            return Check(
                "sound", .advice, "\(beginning)\(bell)",
                remedy: "connect a loudspeaker; aplay --list-pcms lists the outputs")
        }
        return Check("sound", signals.hasBell ? .ok : .skipped, "\(beginning)\(bell)")
    }
}
