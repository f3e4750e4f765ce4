extension Schema {
    /// Entries of the patient's record, which sensors hand over, too.
    ///
    /// The columns `sensor_…` are null for what was typed. `sensor_time` is the sensor's own time as it sent it, and
    /// `sequence` its number of the measurement; `time_known` is 0 where neither tells when it was measured, and
    /// `remark` is what the sensor noticed. What a sensor hands over twice is one row. Weights are in hundredths of a kilogram, glucose in hundredths of mg/dL.
    static let version7 = """
        DROP VIEW manual_entries;
        ALTER TABLE manual_entry RENAME TO record_entry;
        ALTER TABLE record_entry ADD COLUMN sensor_address TEXT;
        ALTER TABLE record_entry ADD COLUMN sensor_name TEXT;
        ALTER TABLE record_entry ADD COLUMN sensor_kind TEXT;
        ALTER TABLE record_entry ADD COLUMN sensor_time TEXT;
        ALTER TABLE record_entry ADD COLUMN sequence INTEGER;
        ALTER TABLE record_entry ADD COLUMN time_known INTEGER NOT NULL DEFAULT 1 CHECK (time_known IN (0, 1));
        ALTER TABLE record_entry ADD COLUMN remark TEXT;
        DROP INDEX manual_entry_by_time;
        CREATE INDEX record_entry_by_time ON record_entry (taken_wall_ms);
        CREATE UNIQUE INDEX record_entry_by_stamp ON record_entry (
            sensor_address, kind, ifnull(sequence, -1), ifnull(sensor_time, ''), ifnull(value, -1),
            ifnull(systolic, -1), ifnull(diastolic, -1)
        ) WHERE sensor_address IS NOT NULL AND (sequence IS NOT NULL OR sensor_time IS NOT NULL);
        CREATE VIEW record_entries AS
            SELECT strftime('%Y-%m-%dT%H:%M:%fZ', taken_wall_ms / 1000.0, 'unixepoch') AS time,
                taken_wall_ms AS wall_ms, kind, value / 100.0 AS value, site, systolic, diastolic, mean, pulse, note,
                CASE WHEN retracted_wall_ms IS NULL THEN 'final' ELSE 'entered-in-error' END AS status,
                strftime('%Y-%m-%dT%H:%M:%fZ', entered_wall_ms / 1000.0, 'unixepoch') AS entered,
                strftime('%Y-%m-%dT%H:%M:%fZ', retracted_wall_ms / 1000.0, 'unixepoch') AS retracted,
                sensor_name AS sensor, sensor_address AS address, sensor_time, sequence, time_known, remark
            FROM record_entry;
        """
}
