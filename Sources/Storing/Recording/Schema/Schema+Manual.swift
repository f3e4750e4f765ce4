extension Schema {
    /// What people have measured or noted, and typed.
    ///
    /// It lies apart from `reading`, so that no summary of a sensor's values counts it. `value` is in hundredths of the
    /// unit of its kind (°C, beats a minute, percent, neutrophils per µL); pressures are in whole mmHg. A row is found
    /// by when it was typed. One that was an error has the time at which it was taken back, and is never deleted for
    /// that. The view `manual_entries` is for people.
    static let version3 = """
        CREATE TABLE manual_entry (
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
            UNIQUE (entered_wall_ms, entered_monotonic_ns),
            CHECK (CASE kind
                WHEN 'note' THEN note IS NOT NULL
                WHEN 'blood_pressure' THEN systolic IS NOT NULL AND diastolic IS NOT NULL
                ELSE value IS NOT NULL END)
        ) STRICT;
        CREATE INDEX manual_entry_by_time ON manual_entry (taken_wall_ms);
        CREATE VIEW manual_entries AS
            SELECT strftime('%Y-%m-%dT%H:%M:%fZ', taken_wall_ms / 1000.0, 'unixepoch') AS time,
                taken_wall_ms AS wall_ms, kind, value / 100.0 AS value, site, systolic, diastolic, mean, pulse, note,
                CASE WHEN retracted_wall_ms IS NULL THEN 'final' ELSE 'entered-in-error' END AS status,
                strftime('%Y-%m-%dT%H:%M:%fZ', entered_wall_ms / 1000.0, 'unixepoch') AS entered,
                strftime('%Y-%m-%dT%H:%M:%fZ', retracted_wall_ms / 1000.0, 'unixepoch') AS retracted
            FROM manual_entry;
        """
}
