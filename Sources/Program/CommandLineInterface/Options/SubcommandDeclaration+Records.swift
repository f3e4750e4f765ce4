// The subcommands that read recorded data.
extension SubcommandDeclaration {
    static let enter = SubcommandDeclaration(
        summary: "Enter a value into the patient's record, as the key e does.",
        explanation: """
            KIND is temperature, heart_rate, spo2, pressure, glucose, weight, neutrophils, lab, medication, symptom, mascc \
            or note; VALUE is what is typed on the screen, such as lab wbc=1.2 neutrophils=35% at=08:10, medication \
            paracetamol 500 mg at=-15m, or symptom nausea 6. The running monitor takes the entry, and judges it; where none \
            runs it is written into the store, and the next monitor judges it. An impossible value is refused with a \
            sentence and status 65, and so is an unusual one without --yes. Only on the monitor's screen a glucose value \
            calibrates a sensor, by the key B.
            """,
        options: [
            .yes, .patient, .fahrenheit, .simulatedStore, .configuration, .noConfiguration, .help,
        ],
        operands: "KIND VALUE...", operandCount: 0...Int.max,
        examples: [
            SubcommandExample("bedside enter temperature 37.9", "Enter a temperature that was measured just now."),
            SubcommandExample(
                "bedside enter medication paracetamol 500 mg at=-15m",
                "Enter what was given a quarter of an hour ago."),
        ])

    static let confirm = SubcommandDeclaration(
        summary: "List, confirm or discard what sensors have handed over.",
        explanation: """
            Without a NUMBER it lists the measurements that wait to be confirmed (record.confirm), each with its number. \
            With numbers, or all, it confirms them, or discards them with --discard. The running monitor does that; where \
            none runs it is written into the store. A number that does not wait is refused with status 65, and nothing is \
            done.
            """,
        options: [.discard, .patient, .fahrenheit, .simulatedStore, .configuration, .noConfiguration, .help],
        operands: "[NUMBER... | all]", operandCount: 0...Int.max,
        examples: [
            SubcommandExample("bedside confirm", "List what waits."),
            SubcommandExample("bedside confirm 17 18", "Confirm two measurements of the list."),
            SubcommandExample("bedside confirm --discard 19", "Discard one."),
        ])

    static let `import` = SubcommandDeclaration(
        summary: "Import entries of the patient's record, or nights of an oximeter, from a file.",
        explanation: """
            Reads FILE, or standard input, and adds its entries to the record: temperatures, heart rates, SpO2, blood \
            pressures, glucose, weights, blood counts, medication, symptoms, MASCC and notes. Readings of sensors are left \
            out. What is in the record already is not added again, so the same file can be imported twice, and so can an \
            export of one's own. What is impossible, or yet to come, is refused with its line or entry, the reason and what \
            to do; what is unusual is listed, and imported only with --yes. Where something is refused or left out for that \
            the status is 65, and the rest is imported. The running monitor takes what it can still judge; the rest goes \
            into the store. Every entry keeps the name of the file, and when it was imported. A file of a night (the maker's \
            table, EDF, EDF+, the ring's own file) is imported whole or not at all.
            """,
        options: [
            .importFormat, .dryRun, .yes, .patient, .subject, .fahrenheit, .simulatedStore, .configuration,
            .noConfiguration, .help,
        ],
        operands: "[FILE]", operandCount: 0...1,
        examples: [
            SubcommandExample("bedside import --dry-run labs.csv", "List what a table has, and what is wrong with it."),
            SubcommandExample("bedside import labs.csv", "Import it."),
        ])

    static let collect = SubcommandDeclaration(
        summary: "Store what the beds of a ward have recorded, from an MQTT broker.",
        explanation: """
            Runs until it is interrupted, and keeps a store for each bed, and each store that a bed has had, as \
            SITE/BED/STORE.sqlite in the folder; bedside history, export and replay read it with --store FILE, or with \
            its name. A batch is acknowledged when it is on the disk, so nothing is lost or stored twice, whatever \
            ends. The broker, the certificates and how long is kept are those of the configuration.
            """,
        options: [.folder, .site, .duration, .configuration, .noConfiguration, .set, .help],
        examples: [
            SubcommandExample("bedside collect --folder ward", "Store what all beds of the ward have recorded."),
            SubcommandExample("bedside collect --site north --for 8h", "Do so for one site and eight hours."),
        ])

    static let ward = SubcommandDeclaration(
        summary: "Show all beds of a ward on one screen, from an MQTT broker.",
        explanation: """
            Shows what the monitors publish whose configuration names the same broker: each bed with its alarms, the \
            present values with their ages, and whether its monitor can be heard. A value is present only while it comes; \
            a bed that is not heard for six seconds is dark, and so are all beds without the broker. Enter opens a bed, ? \
            lists the keys. Alarms sound at the bed; this screen informs and is no alarm system. On the page of a bed, \
            h shows its last day where bedside collect stores it on this computer. Where remote_acknowledge in [ward] \
            of both configurations allows it, alarms can be acknowledged from here. With --json each change is one \
            JSON object in a line, by the same rules: a reading is printed only while it is present. The operand \
            status prints one line after some seconds and ends with status 0 where every bed is heard and no alarm \
            waits for an answer, 1 for an alarm of medium or low priority, 2 for one of high priority, 3 where a bed \
            is not heard, and 69 without the broker.
            """,
        options: [
            .json, .site, .simulatedBeds, .folder, .duration, .fahrenheit, .reduceMotion, .configuration,
            .noConfiguration, .set, .help,
        ],
        operands: "[status]", operandCount: 0...1,
        examples: [
            SubcommandExample("bedside ward", "Show all beds."),
            SubcommandExample("bedside ward --site north", "Show those of one site."),
            SubcommandExample("bedside ward status --json", "Ask once how all beds are, for a script."),
        ])

    static let alarms = SubcommandDeclaration(
        summary: "Print the alarm log: every alarm and every action on it.",
        explanation: """
            Prints every alarm that was raised, in this run of Bedside and earlier ones, each state that it entered, \
            and every action, the oldest first; --json prints one JSON object per line, with the fields of watch and \
            some more. It may run while a monitor writes the log. Where nothing has been recorded yet it says so, \
            which is not an error. A store that is damaged, or was written by a newer Bedside, is left unchanged and \
            ends with status 65, one that cannot be read with 66.
            """,
        options: [
            .json, .patient, .record, .from, .alarmClass, .priority, .actions, .newestEntries, .store, .simulatedLog,
            .color, .pager, .configuration, .noConfiguration, .help,
        ],
        examples: [
            SubcommandExample(
                "bedside alarms --from 8h --priority medium",
                "Print the more important alarms of the last eight hours."),
            SubcommandExample("bedside alarms --pager --color always", "Read all of them page by page, in colour."),
        ])

    static let history = SubcommandDeclaration(
        summary: "Print what was recorded: when sensors were worn, and summaries.",
        explanation: """
            Prints the periods in which each sensor was worn, from the first value to the last, and for each hour, or \
            each such period, and each vital the lowest value, the median, the highest, the part of the time that was \
            measured, and how long the value was outside the limits in the configuration. Without --from it begins 24 \
            hours ago. Values that are at most five minutes apart are one wearing. It may run while a monitor records.
            """,
        options: [
            .json, .patient, .record, .from, .to, .vitals, .summaryPart, .store, .simulatedStore,
            .pager, .configuration, .noConfiguration, .help,
        ],
        examples: [
            SubcommandExample(
                "bedside history --from 7d --by wearing",
                "Summarize the last week by the periods in which sensors were worn."),
            SubcommandExample("bedside history --json --vitals spo2", "Print saturations as JSON."),
        ])

    static let report = SubcommandDeclaration(
        summary: "Print the last days of a patient: each vital day by day, and the record beside it.",
        explanation: """
            Prints what is asked on the phone first: since when there is fever, the highest temperature, the newest \
            neutrophil count and MASCC risk index, antipyretics and symptoms; then for each day and vital the lowest \
            value, the median, the highest, the part of the day that was measured, and how long the value was outside \
            the limits in the configuration; then the fevers, and everything that was entered. Days are those of the \
            local time, of 23 or 25 hours where the clocks were changed. With --format html it is a page to hand over, \
            with pictures, which prints on A4 in black and white.
            """,
        options: [
            .days, .reportFormat, .json, .output, .force, .patient, .record, .fahrenheit, .simulatedStore,
            .pager, .configuration, .noConfiguration, .help,
        ],
        examples: [
            SubcommandExample("bedside report --days 7", "Print the last week."),
            SubcommandExample("bedside report --format html --output report.html", "Write a page to hand over."),
        ])

    static let night = SubcommandDeclaration(
        summary: "Print what an oximeter measured in a night: falls of the saturation, ODI, time below 90 %.",
        explanation: """
            Prints the last night, from noon to noon, of every oximeter for itself: a picture, the time recorded and usable, \
            baseline, mean and lowest saturation, time below 90 and 88 %, falls of at least 3 and 4 % and their number an \
            hour (ODI), pulse and movement, and a table of the falls. A night that the oximeter stored and that was also \
            recorded live is one. What is not usable is left out, and the reason is printed. With --from or --to it prints a \
            line for each night. These are figures of what was measured, not a diagnosis; Bedside is not a medical device. It \
            may run while a monitor records.
            """,
        options: [
            .nightDate, .from, .to, .json, .patient, .record, .store, .simulatedStore, .pager, .configuration,
            .noConfiguration, .help,
        ],
        examples: [
            SubcommandExample("bedside night", "Print the last night."),
            SubcommandExample("bedside night --date 2026-11-28", "Print the night of 27 to 28 November."),
            SubcommandExample("bedside night --from 30d", "List the nights of the last month."),
        ])

    static let export = SubcommandDeclaration(
        summary: "Write recorded readings as CSV, JSON lines, FHIR or EDF+.",
        explanation: """
            Writes every reading, with its value or the reason why there is none, the oldest first. Without --from it \
            begins with the first. It needs no more memory for a month than for a minute, and may run while a monitor \
            records. A file appears only when it is complete, and none is replaced without --force. A store \
            that is damaged, or was written by a newer Bedside, is left unchanged and ends with status 65, one that \
            cannot be read with 66, output that cannot be written with 74.
            """,
        options: [
            .exportFormat, .patient, .record, .from, .to, .vitals, .output, .force, .subject, .store, .simulatedStore,
            .configuration, .noConfiguration, .help,
        ],
        examples: [
            SubcommandExample("bedside export --from 1d --output day.csv", "Write a table of the last day."),
            SubcommandExample(
                "bedside export --format fhir --subject Patient/123 --output day.json",
                "Write a Bundle of FHIR about a patient."),
            SubcommandExample(
                "bedside export --format waves --from 10m --output ecg.csv",
                "Write the samples of ten minutes, if they were recorded."),
            SubcommandExample(
                "bedside export --format edf --from 12h --output night.edf", "Write a night for sleep programs."),
        ])

    static let send = SubcommandDeclaration(
        summary: "Send the record to a FHIR server, a Nightscout site or an interface engine of HL7.",
        explanation: """
            Reads the store beside the monitor, which never waits for it, and sends what is new to the servers in [send] of \
            the configuration, until it is interrupted: to a server of HL7 FHIR R4 every entry and alarm, and of each vital and \
            sensor one reading a minute; to a Nightscout site glucose, finger-pricks and notes; to an interface engine of HL7 \
            Version 2.6 measurements and alarms (IHE PCD-01 and PCD-04). How far it has come is in a \
            file beside the store, which changes when a server has confirmed, so an outage loses nothing and nothing is sent \
            twice. What a server refuses is left out, with a sentence, if it accepts anything else; a secret that it rejects is \
            tried once. The first time, it begins with the present patient's record, or at --from. Where nothing more can be \
            sent it ends with status 78; --once ends with status 69 where a server fails.
            """,
        options: [
            .once, .from, .presentPatient, .patient, .simulatedStore, .configuration, .noConfiguration, .set,
            .systemdUnit, .help,
        ],
        examples: [
            SubcommandExample("bedside send --once", "Send what is new, for a timer or by hand."),
            SubcommandExample(
                "bedside send --systemd-unit >bedside-send.service", "Write a unit that sends from each login on."),
        ])

    static let replay = SubcommandDeclaration(
        summary: "Play what was recorded, or a capture of Bluetooth traffic, labelled REPLAY on every screen.",
        explanation: """
            FILE is a capture of Bluetooth traffic (btsnoop of btmon -w or of Android, pcap, pcapng) or a store of \
            Bedside's; without it the patient's own record is played, its last 24 hours unless --from says otherwise. \
            Everything is processed as from live sensors, alarms and fever rules included, with the present settings, \
            and the result is the same at any speed. Nothing of it is recorded, sounds, notifies or runs the hook. On \
            the screen Space pauses, < and > change the speed, { and } go back and forward by a minute, ( and ) by an \
            hour, and a full stop plays up to the next reading. A damaged file is played up to the damage, with a \
            message; a file that is not a recording ends with status 65, one that cannot be read with 66.
            """,
        options: [
            .patient, .speed, .from, .to, .replayDuration, .json, .lines, .interval, .count, .handle,
            .simulatedStore, .bed, .fahrenheit, .glyphs, .color, .colors, .theme, .trendWindow, .reduceMotion,
            .showCursor, .mouse, .configuration, .noConfiguration, .set, .help,
        ],
        operands: "[FILE]", operandCount: 0...1,
        examples: [
            SubcommandExample(
                "bedside replay --from 8h --speed 60",
                "Play the last eight hours, a minute in each second."),
            SubcommandExample("bedside replay ward.btsnoop", "Play a capture of Bluetooth traffic."),
        ])
}
