extension Schema {
    /// When late readings were measured, in milliseconds since 1970 (UTC); null for those of their time.
    ///
    /// `late` is how that is known, `late_from_ms` and `late_to_ms` enclose the measurement, and `late_ms` is where in
    /// between it is taken to be. No minute and no wearing counts such a reading.
    static let version5 = """
        ALTER TABLE reading ADD COLUMN late INTEGER REFERENCES word (id);
        ALTER TABLE reading ADD COLUMN late_from_ms INTEGER;
        ALTER TABLE reading ADD COLUMN late_to_ms INTEGER;
        ALTER TABLE reading ADD COLUMN late_ms INTEGER;
        CREATE INDEX late_reading_by_time ON reading (wall_ms) WHERE late IS NOT NULL;
        DROP VIEW readings;
        CREATE VIEW readings AS
            SELECT strftime('%Y-%m-%dT%H:%M:%fZ', reading.wall_ms / 1000.0, 'unixepoch') AS time,
                reading.wall_ms AS wall_ms, sensor.name AS sensor, sensor.address AS address, sensor.kind AS kind,
                vital.text AS vital, reading.value / 100.0 AS value, quality.text AS quality,
                absence.text AS absence, site.text AS site, reading.device_time AS device_time,
                ifnull(epoch.run, epoch.id) AS run, reading.monotonic_ns AS monotonic_ns, late.text AS late,
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
        """
}
