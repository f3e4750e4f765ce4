extension Schema {
    /// Blood counts, medication, symptoms and risk indexes in the record, and corrections.
    ///
    /// `details` is a JSON object with what has no column of its own; its form depends on `kind`
    /// (``EntryDetails``). `value` is the neutrophil count of a blood count, the rating of a symptom and the score of a
    /// risk index, in hundredths; `note` the name of a medication or symptom. `corrected_…` identify the entry that a
    /// correction replaces, by when it was typed, and `retraction_reason` says why an entry no longer holds. The table is
    /// built anew, because SQLite cannot change a check.
    static let version10 = """
        DROP VIEW record_entries;
        DROP INDEX record_entry_by_time;
        DROP INDEX record_entry_by_stamp;
        ALTER TABLE record_entry RENAME TO former_record_entry;
        CREATE TABLE record_entry (
            id INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            taken_wall_ms INTEGER NOT NULL,
            entered_wall_ms INTEGER NOT NULL,
            entered_monotonic_ns INTEGER NOT NULL,
            kind TEXT NOT NULL,
            value INTEGER,
            site TEXT,
            systolic INTEGER,
            diastolic INTEGER,
            mean INTEGER,
            pulse INTEGER,
            note TEXT,
            retracted_wall_ms INTEGER,
            sensor_address TEXT,
            sensor_name TEXT,
            sensor_kind TEXT,
            sensor_time TEXT,
            sequence INTEGER,
            time_known INTEGER NOT NULL DEFAULT 1 CHECK (time_known IN (0, 1)),
            remark TEXT,
            details TEXT,
            retraction_reason TEXT,
            corrected_wall_ms INTEGER,
            corrected_monotonic_ns INTEGER,
            correction_reason TEXT,
            UNIQUE (entered_wall_ms, entered_monotonic_ns),
            CHECK (CASE kind
                WHEN 'note' THEN note IS NOT NULL
                WHEN 'blood_pressure' THEN systolic IS NOT NULL AND diastolic IS NOT NULL
                WHEN 'lab' THEN details IS NOT NULL
                WHEN 'medication' THEN note IS NOT NULL
                WHEN 'symptom' THEN note IS NOT NULL AND value IS NOT NULL
                WHEN 'mascc' THEN details IS NOT NULL AND value IS NOT NULL
                ELSE value IS NOT NULL END)
        ) STRICT;
        INSERT INTO record_entry (id, epoch, taken_wall_ms, entered_wall_ms, entered_monotonic_ns, kind, value, site,
                systolic, diastolic, mean, pulse, note, retracted_wall_ms, sensor_address, sensor_name, sensor_kind,
                sensor_time, sequence, time_known, remark)
            SELECT id, epoch, taken_wall_ms, entered_wall_ms, entered_monotonic_ns, kind, value, site,
                systolic, diastolic, mean, pulse, note, retracted_wall_ms, sensor_address, sensor_name, sensor_kind,
                sensor_time, sequence, time_known, remark
            FROM former_record_entry;
        DROP TABLE former_record_entry;
        CREATE INDEX record_entry_by_time ON record_entry (taken_wall_ms);
        CREATE UNIQUE INDEX record_entry_by_stamp ON record_entry (
            sensor_address, kind, ifnull(sequence, -1), ifnull(sensor_time, ''), ifnull(value, -1),
            ifnull(systolic, -1), ifnull(diastolic, -1)
        ) WHERE sensor_address IS NOT NULL AND (sequence IS NOT NULL OR sensor_time IS NOT NULL);
        CREATE VIEW record_entries AS
            SELECT strftime('%Y-%m-%dT%H:%M:%fZ', taken_wall_ms / 1000.0, 'unixepoch') AS time,
                taken_wall_ms AS wall_ms, kind, value / 100.0 AS value, site, systolic, diastolic, mean, pulse, note,
                CASE WHEN retracted_wall_ms IS NOT NULL THEN 'entered-in-error'
                    WHEN corrected_wall_ms IS NOT NULL THEN 'corrected' ELSE 'final' END AS status,
                strftime('%Y-%m-%dT%H:%M:%fZ', entered_wall_ms / 1000.0, 'unixepoch') AS entered,
                strftime('%Y-%m-%dT%H:%M:%fZ', retracted_wall_ms / 1000.0, 'unixepoch') AS retracted,
                sensor_name AS sensor, sensor_address AS address, sensor_time, sequence, time_known, remark, details,
                retraction_reason, correction_reason,
                strftime('%Y-%m-%dT%H:%M:%fZ', corrected_wall_ms / 1000.0, 'unixepoch') AS corrects
            FROM record_entry;
        """
}
