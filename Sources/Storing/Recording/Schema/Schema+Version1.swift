extension Schema {
    /// The first version.
    ///
    /// Times are stored as both clocks saw them: `wall_ms` in milliseconds since 1970 (UTC), for reading;
    /// `monotonic_ns` in nanoseconds since the computer started, for durations within an epoch. Values are in
    /// hundredths of the vital's unit.
    static let version1 = Step(
        tables: [
            "epoch", "sensor", "word", "alarm_log", "reading", "minute", "quarter", "wearing", "gap", "notification",
            "rr", "wave", "night", "fetched_night",
            "patient_record", "record_entry", "waiting_entry", "device_user", "left_out_measurement",
            "remembered_sensor", "changed_limit", "neutrophil_count", "deferred_reminder", "owned_link",
            "running_wave",
        ],
        sql: names + alarms + readings + record + memory)

    /// The tables that the others refer to.
    ///
    /// An *epoch* is a stretch in which both clocks run together: it begins with the program, after a sleep, after the
    /// daemon or the bus was gone, and when the clock was set. The first one of a run stands for the run; the others
    /// name it in `run`. `running_ms` is how long Bedside had recorded into the store in all when the epoch began, and
    /// `last_running_ms` when the newest was written in it, by the clock that never jumps. What is too old is found by
    /// this, because a wall clock may be wrong (``RecordAge``).
    ///
    /// Sensors and words (vitals, reasons, sites …) are stored once and named by small numbers.
    private static let names = """
        CREATE TABLE epoch (
            id INTEGER PRIMARY KEY,
            wall_ms INTEGER NOT NULL,
            monotonic_ns INTEGER NOT NULL,
            program_version TEXT NOT NULL,
            cause TEXT NOT NULL DEFAULT 'program',
            run INTEGER REFERENCES epoch (id),
            last_wall_ms INTEGER NOT NULL,
            running_ms INTEGER NOT NULL,
            last_running_ms INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE sensor (
            id INTEGER PRIMARY KEY,
            address TEXT NOT NULL,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            UNIQUE (address, name, kind)
        ) STRICT;
        CREATE TABLE word (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL UNIQUE
        ) STRICT;
        """

    /// Everything that became of every episode of an alarm, and what people did about them, in the order in which it
    /// happened.
    ///
    /// A row is about an alarm (`kind` …) or an action (`actor` …).
    private static let alarms = """
        CREATE TABLE alarm_log (
            id INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            wall_ms INTEGER NOT NULL,
            monotonic_ns INTEGER NOT NULL,
            episode INTEGER,
            since_wall_ms INTEGER,
            kind TEXT,
            class TEXT,
            priority TEXT,
            state TEXT,
            sensor INTEGER REFERENCES sensor (id),
            vital TEXT,
            site TEXT,
            value INTEGER,
            peak INTEGER,
            crossed_limit INTEGER,
            actor TEXT,
            action TEXT,
            episodes TEXT,
            until_wall_ms INTEGER,
            text TEXT NOT NULL,
            CHECK ((kind IS NULL) = (action IS NOT NULL))
        ) STRICT;
        CREATE INDEX alarm_log_by_time ON alarm_log (wall_ms);
        """

    /// Readings and what belongs to them.
    ///
    /// A *reading* has a value or the reason of its absence, never both. One that was calibrated here has the value of the
    /// meter, in hundredths, and the time of the drop of blood. `drift_ns` is how many nanoseconds more the
    /// monotonic clock has advanced since the beginning of the epoch than the wall clock (``EpochClock``). It is found by its time: the rows lie in the
    /// order of `wall_ms`, and `n` distinguishes those of one millisecond. A *late* reading was measured earlier:
    /// `late` is how that is known, `late_from_ms` and `late_to_ms` enclose the measurement, and `late_ms` is where in
    /// between it is taken to be; no minute and no wearing counts it. The view `readings` puts all together for people.
    ///
    /// A *minute* sums the readings of one sensor and vital up, so that a day is drawn from 1440 rows for each. A
    /// *quarter* condenses those of one vital in a quarter of an hour that is over (``QuarterTable``); any may be missing. A
    /// *wearing* is a spell of a sensor on the body. It has no index by time: its end moves with the values, so the index
    /// would be rewritten all the time, while few rows are searched rarely. A *notification* is what came over the
    /// air, octet by octet.
    ///
    /// A row of `rr` has the RR intervals of one notification. `intervals` is as on the air: two octets each, the lower
    /// one first, in units of 1/1024 s, the oldest interval first.
    ///
    /// A row of `wave` has about a second of samples of one stream (``WaveRow``), `wall_ms` being that of the first. Its
    /// gaps are where a row is not `continuing`; `lost` samples are known to be missing there.
    ///
    /// A *night* was stored by an oximeter itself, and came later, or was imported; `name` identifies it among those of
    /// its sensor. It has a sample each `interval_s` seconds (``NightSamples``). No minute, and no alarm, counts it. A
    /// *fetched night* is one that a sensor handed over: it outlives the night itself, so that a ring which still has it is
    /// not asked for it again; `has_file` is 1 while its file lies beside the store (``NightFiles``).
    private static let readings = """
        CREATE TABLE reading (
            wall_ms INTEGER NOT NULL,
            n INTEGER NOT NULL,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            drift_ns INTEGER NOT NULL,
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            vital INTEGER NOT NULL REFERENCES word (id),
            value INTEGER,
            quality INTEGER REFERENCES word (id),
            calibrated_with INTEGER,
            calibrated_ms INTEGER,
            absence INTEGER REFERENCES word (id),
            site INTEGER REFERENCES word (id),
            device_time TEXT,
            late INTEGER REFERENCES word (id),
            late_from_ms INTEGER,
            late_to_ms INTEGER,
            late_ms INTEGER,
            PRIMARY KEY (wall_ms, n),
            CHECK ((value IS NULL) = (absence IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX late_reading_by_time ON reading (wall_ms) WHERE late IS NOT NULL;
        CREATE VIEW readings AS
            SELECT strftime('%Y-%m-%dT%H:%M:%fZ', reading.wall_ms / 1000.0, 'unixepoch') AS time,
                reading.wall_ms AS wall_ms, sensor.name AS sensor, sensor.address AS address, sensor.kind AS kind,
                vital.text AS vital, reading.value / 100.0 AS value, quality.text AS quality,
                reading.calibrated_with / 100.0 AS calibrated_with,
                strftime('%Y-%m-%dT%H:%M:%fZ', reading.calibrated_ms / 1000.0, 'unixepoch') AS calibrated,
                absence.text AS absence, site.text AS site, reading.device_time AS device_time,
                ifnull(epoch.run, epoch.id) AS run,
                epoch.monotonic_ns + (reading.wall_ms - epoch.wall_ms) * 1000000 + drift_ns AS monotonic_ns,
                late.text AS late,
                strftime('%Y-%m-%dT%H:%M:%fZ', reading.late_from_ms / 1000.0, 'unixepoch') AS measured_from,
                strftime('%Y-%m-%dT%H:%M:%fZ', reading.late_to_ms / 1000.0, 'unixepoch') AS measured_to
            FROM reading
            JOIN sensor ON sensor.id = reading.sensor
            JOIN word AS vital ON vital.id = reading.vital
            JOIN epoch ON epoch.id = reading.epoch
            LEFT JOIN word AS quality ON quality.id = reading.quality
            LEFT JOIN word AS absence ON absence.id = reading.absence
            LEFT JOIN word AS site ON site.id = reading.site
            LEFT JOIN word AS late ON late.id = reading.late;
        CREATE TABLE minute (
            minute INTEGER NOT NULL,
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            vital INTEGER NOT NULL REFERENCES word (id),
            readings INTEGER NOT NULL,
            total INTEGER NOT NULL,
            minimum INTEGER,
            maximum INTEGER,
            last INTEGER,
            absences INTEGER NOT NULL,
            absence INTEGER REFERENCES word (id),
            PRIMARY KEY (minute, sensor, vital)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE quarter (
            quarter INTEGER NOT NULL,
            vital INTEGER NOT NULL REFERENCES word (id),
            reports BLOB NOT NULL,
            PRIMARY KEY (quarter, vital)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE wearing (
            id INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            from_wall_ms INTEGER NOT NULL,
            to_wall_ms INTEGER NOT NULL,
            readings INTEGER NOT NULL,
            ending INTEGER REFERENCES word (id)
        ) STRICT;
        CREATE TABLE gap (
            id INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            from_wall_ms INTEGER NOT NULL,
            to_wall_ms INTEGER NOT NULL,
            reason INTEGER NOT NULL REFERENCES word (id)
        ) STRICT;
        CREATE INDEX gap_by_time ON gap (to_wall_ms);
        CREATE TABLE notification (
            id INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            wall_ms INTEGER NOT NULL,
            monotonic_ns INTEGER NOT NULL,
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            characteristic INTEGER NOT NULL REFERENCES word (id),
            octets BLOB NOT NULL,
            mistake TEXT
        ) STRICT;
        CREATE INDEX notification_by_time ON notification (wall_ms);
        CREATE TABLE rr (
            wall_ms INTEGER NOT NULL,
            n INTEGER NOT NULL,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            drift_ns INTEGER NOT NULL,
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            intervals BLOB NOT NULL,
            PRIMARY KEY (wall_ms, n)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE wave (
            wall_ms INTEGER NOT NULL,
            n INTEGER NOT NULL,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            drift_ns INTEGER NOT NULL,
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            kind INTEGER NOT NULL REFERENCES word (id),
            lost INTEGER NOT NULL,
            continuing INTEGER NOT NULL CHECK (continuing IN (0, 1)),
            spans BLOB NOT NULL,
            beats BLOB,
            samples BLOB NOT NULL,
            PRIMARY KEY (wall_ms, n)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE night (
            id INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            stored_wall_ms INTEGER NOT NULL,
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            address TEXT NOT NULL,
            name TEXT NOT NULL,
            start_wall_ms INTEGER NOT NULL,
            interval_s INTEGER NOT NULL,
            samples BLOB NOT NULL,
            imported_from TEXT,
            UNIQUE (address, name)
        ) STRICT;
        CREATE INDEX night_by_start ON night (start_wall_ms);
        CREATE TABLE fetched_night (
            address TEXT NOT NULL,
            name TEXT NOT NULL,
            has_file INTEGER NOT NULL CHECK (has_file IN (0, 1)),
            PRIMARY KEY (address, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// The columns of an entry, in the record and where it waits.
    private static let entryColumns = """
            id INTEGER PRIMARY KEY,
            record INTEGER NOT NULL DEFAULT 1,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            taken_wall_ms INTEGER NOT NULL,
            entered_wall_ms INTEGER NOT NULL,
            entered_monotonic_ns INTEGER NOT NULL,
            kind TEXT NOT NULL,
            absence TEXT,
            content TEXT,
            value INTEGER,
            note TEXT,
            quality TEXT NOT NULL DEFAULT 'good',
            time_known INTEGER NOT NULL DEFAULT 1 CHECK (time_known IN (0, 1)),
            remark TEXT,
            device_user INTEGER,
            typed TEXT,
            sensor_address TEXT,
            sensor_name TEXT,
            sensor_kind TEXT,
            sensor_time TEXT,
            sequence INTEGER,
            confirmation_wanted INTEGER NOT NULL DEFAULT 0 CHECK (confirmation_wanted IN (0, 1)),
            confirmed_wall_ms INTEGER,
            retracted_wall_ms INTEGER,
            retraction_reason TEXT,
            corrected_wall_ms INTEGER,
            corrected_monotonic_ns INTEGER,
            correction_reason TEXT,
            import_key TEXT,
            import_source TEXT,
            import_entered_wall_ms INTEGER,
            UNIQUE (entered_wall_ms, entered_monotonic_ns),
            CHECK (absence IS NOT NULL OR typeof(content) = 'text')
        """

    /// The patient's record: what was typed, handed over by sensors, or imported.
    ///
    /// It lies apart from `reading`, so that no summary of a sensor's values counts it. A row is found by when it was
    /// typed. `content` is a JSON object of the fields of its kind (``EntryContent``); a measurement without a usable value
    /// has `absence` instead, the reason. `value` and `note` are the number and the words that stand for the entry, for
    /// people: `value` in hundredths of the unit, of a blood count its neutrophils per µL, of a symptom its rating, of a
    /// risk index its score. `typed` is how it was typed where it is printed otherwise. One that was an error has the
    /// time at which it was taken back, and is never deleted for that; `corrected_…` identify the entry that a correction
    /// replaces, by when it was typed.
    ///
    /// `time_known` is 0 where no clock tells when it was measured, `remark` is what was noticed meanwhile, and
    /// `device_user` the number of the person on a device for several. The columns `sensor_…` are null for what was
    /// typed. `confirmation_wanted` is 1 for what a sensor handed over while somebody had to confirm that, and
    /// `confirmed_wall_ms` when somebody did. `sensor_time` is the time by the device's own clock, and `sequence` its number of the measurement. What a
    /// sensor transfers twice is one row.
    ///
    /// `waiting_entry` has what a device for several persons has handed over while nobody has said which one is the patient,
    /// `device_user` the answers, and `left_out_measurement` what was measured of others, without its values: the number
    /// and the time of the device, or else when it came, so that it is known when it comes again.
    ///
    /// `record` numbers the patients of a store from 1; `patient_record` says from when on each after the first has been
    /// monitored, and the last one is the present patient. The columns `import_…` are null for what was entered here:
    /// `import_key` identifies an imported entry in every file that has it, `import_source` names the file, and
    /// `import_entered_wall_ms` is when it was entered where the file comes from. The view `record_entries` is for
    /// people.
    private static let record = """
        CREATE TABLE patient_record (
            record INTEGER PRIMARY KEY CHECK (record > 1),
            since_wall_ms INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE record_entry (
            \(entryColumns)
        ) STRICT;
        CREATE TABLE waiting_entry (
            \(entryColumns)
        ) STRICT;
        CREATE TABLE device_user (
            record INTEGER NOT NULL,
            sensor_address TEXT NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (record, sensor_address)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE left_out_measurement (
            record INTEGER NOT NULL,
            sensor_address TEXT NOT NULL,
            device_user INTEGER NOT NULL,
            stamp TEXT NOT NULL,
            PRIMARY KEY (record, sensor_address, device_user, stamp)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX record_entry_by_time ON record_entry (taken_wall_ms);
        CREATE UNIQUE INDEX record_entry_by_stamp ON record_entry (
            sensor_address, kind, ifnull(sequence, -1), ifnull(sensor_time, ''), ifnull(device_user, -1),
            ifnull(absence, content)
        ) WHERE sensor_address IS NOT NULL AND (sequence IS NOT NULL OR sensor_time IS NOT NULL);
        CREATE UNIQUE INDEX record_entry_by_import ON record_entry (record, import_key) WHERE import_key IS NOT NULL;
        CREATE VIEW record_entries AS
            SELECT CASE WHEN time_known THEN strftime('%Y-%m-%dT%H:%M:%fZ', taken_wall_ms / 1000.0, 'unixepoch') END AS time,
                taken_wall_ms AS wall_ms, kind, value / 100.0 AS value,
                fields ->> '$.site' AS site, fields ->> '$.systolic' AS systolic,
                fields ->> '$.diastolic' AS diastolic, fields ->> '$.mean' AS mean,
                fields ->> '$.pulse_rate' AS pulse, note, absence, quality,
                CASE WHEN retracted_wall_ms IS NOT NULL THEN 'entered-in-error'
                    WHEN confirmation_wanted AND confirmed_wall_ms IS NULL THEN 'preliminary'
                    WHEN corrected_wall_ms IS NOT NULL THEN 'corrected' ELSE 'final' END AS status,
                strftime('%Y-%m-%dT%H:%M:%fZ', entered_wall_ms / 1000.0, 'unixepoch') AS entered,
                strftime('%Y-%m-%dT%H:%M:%fZ', confirmed_wall_ms / 1000.0, 'unixepoch') AS confirmed,
                strftime('%Y-%m-%dT%H:%M:%fZ', retracted_wall_ms / 1000.0, 'unixepoch') AS retracted,
                sensor_name AS sensor, sensor_address AS address, sensor_time, sequence, time_known, remark,
                device_user, typed, content,
                retraction_reason, correction_reason,
                strftime('%Y-%m-%dT%H:%M:%fZ', corrected_wall_ms / 1000.0, 'unixepoch') AS corrects,
                record, import_source AS imported_from
            FROM (SELECT *, iif(json_valid(content), content, NULL) AS fields FROM record_entry);
        """

    /// What is remembered from one start to the next, by the latest decision only.
    ///
    /// A *remembered sensor* is one that the user connected, named or assigned; the order of `id` is that in which they
    /// were first remembered, `vitals` lists the assigned ones with spaces between, and `battery` is the last level that it
    /// reported, in percent; what it measured last is in the other tables. A *changed limit* is a rule that
    /// differs from the settings: `value` is in hundredths of the vital's unit, and `milliseconds` is the delay of a limit,
    /// the window of a rate of change or the duration of a flat line; null means that the rule is off.
    /// `deferred_reminder` has one row when the reminder of a blood count was deferred. An *owned link* is one that
    /// Bedside made, and by which connection to which daemon. A *running wave* is one that a sensor may send because
    /// nothing has stopped it since it was started.
    private static let memory = """
        CREATE TABLE remembered_sensor (
            id INTEGER PRIMARY KEY,
            address TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            label TEXT,
            wanted INTEGER CHECK (wanted IN (0, 1)),
            vitals TEXT NOT NULL,
            battery INTEGER,
            battery_wall_ms INTEGER
        ) STRICT;
        CREATE TABLE changed_limit (
            id INTEGER PRIMARY KEY,
            vital TEXT NOT NULL,
            rule TEXT NOT NULL,
            value INTEGER,
            priority TEXT,
            milliseconds INTEGER,
            UNIQUE (vital, rule)
        ) STRICT;
        CREATE TABLE neutrophil_count (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            per_microlitre INTEGER NOT NULL,
            sampled_wall_ms INTEGER NOT NULL,
            entered_by TEXT NOT NULL
        ) STRICT;
        CREATE TABLE deferred_reminder (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            deferred_wall_ms INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE owned_link (
            address TEXT PRIMARY KEY,
            bus TEXT NOT NULL,
            daemon TEXT NOT NULL,
            client TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE running_wave (
            address TEXT NOT NULL,
            kind TEXT NOT NULL,
            PRIMARY KEY (address, kind)
        ) STRICT, WITHOUT ROWID;
        """
}
