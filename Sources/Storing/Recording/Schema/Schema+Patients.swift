extension Schema {
    /// Several patients one after the other, imported entries, and a deferred reminder.
    ///
    /// `record` numbers the patients of a store from 1; `patient_record` says from when on each after the first has been
    /// monitored, and the last one is the present patient. The columns `import_…` are null for what was entered here:
    /// `import_key` identifies an imported entry in every file that has it, `import_source` names the file, and
    /// `import_entered_wall_ms` is when it was entered where the file comes from. `deferred_reminder` has one row when the
    /// reminder of a blood count was deferred.
    static let version11 = """
        CREATE TABLE patient_record (
            record INTEGER PRIMARY KEY CHECK (record > 1),
            since_wall_ms INTEGER NOT NULL
        ) STRICT;
        INSERT INTO patient_record (record, since_wall_ms)
            SELECT row_number() OVER (ORDER BY id) + 1, wall_ms FROM alarm_log WHERE action = 'new_patient';
        CREATE TABLE deferred_reminder (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            deferred_wall_ms INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE record_entry ADD COLUMN record INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE record_entry ADD COLUMN import_key TEXT;
        ALTER TABLE record_entry ADD COLUMN import_source TEXT;
        ALTER TABLE record_entry ADD COLUMN import_entered_wall_ms INTEGER;
        UPDATE record_entry SET record =
            1 + (SELECT count(*) FROM patient_record WHERE since_wall_ms < entered_wall_ms);
        CREATE UNIQUE INDEX record_entry_by_import ON record_entry (record, import_key) WHERE import_key IS NOT NULL;
        DROP VIEW record_entries;
        CREATE VIEW record_entries AS
            SELECT strftime('%Y-%m-%dT%H:%M:%fZ', taken_wall_ms / 1000.0, 'unixepoch') AS time,
                taken_wall_ms AS wall_ms, kind, value / 100.0 AS value, site, systolic, diastolic, mean, pulse, note,
                CASE WHEN retracted_wall_ms IS NOT NULL THEN 'entered-in-error'
                    WHEN corrected_wall_ms IS NOT NULL THEN 'corrected' ELSE 'final' END AS status,
                strftime('%Y-%m-%dT%H:%M:%fZ', entered_wall_ms / 1000.0, 'unixepoch') AS entered,
                strftime('%Y-%m-%dT%H:%M:%fZ', retracted_wall_ms / 1000.0, 'unixepoch') AS retracted,
                sensor_name AS sensor, sensor_address AS address, sensor_time, sequence, time_known, remark, details,
                retraction_reason, correction_reason,
                strftime('%Y-%m-%dT%H:%M:%fZ', corrected_wall_ms / 1000.0, 'unixepoch') AS corrects,
                record, import_source AS imported_from
            FROM record_entry;
        """
}
