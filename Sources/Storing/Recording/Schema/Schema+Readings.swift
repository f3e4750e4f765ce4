extension Schema {
    /// Readings and what belongs to them.
    ///
    /// A *reading* has a value or the reason of its absence, never both. It is found by its time: the rows lie in the
    /// order of `wall_ms`, and `n` distinguishes those of one millisecond. Words (vitals, reasons, sites …) and sensors
    /// are stored once and named by small numbers. The view `readings` puts all together for people.
    ///
    /// An *epoch* is a stretch in which both clocks run together: it begins with the program, after a sleep, after the
    /// daemon or the bus was gone, and when the clock was set. The first one of a run stands for the run; the others
    /// name it in `run`.
    ///
    /// A *minute* sums the readings of one sensor and vital up, so that a day is drawn from 1440 rows for each. A
    /// *wearing* is a spell of a sensor on the body. A *notification* is what came over the air, octet by octet.
    static let version2 = """
        ALTER TABLE epoch ADD COLUMN cause TEXT NOT NULL DEFAULT 'program';
        ALTER TABLE epoch ADD COLUMN run INTEGER REFERENCES epoch (id);
        ALTER TABLE epoch ADD COLUMN last_wall_ms INTEGER;
        CREATE TABLE word (
            id INTEGER PRIMARY KEY,
            text TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE reading (
            wall_ms INTEGER NOT NULL,
            n INTEGER NOT NULL,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            monotonic_ns INTEGER NOT NULL,
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            vital INTEGER NOT NULL REFERENCES word (id),
            value INTEGER,
            quality INTEGER REFERENCES word (id),
            absence INTEGER REFERENCES word (id),
            site INTEGER REFERENCES word (id),
            device_time TEXT,
            PRIMARY KEY (wall_ms, n),
            CHECK ((value IS NULL) = (absence IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
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
        CREATE TABLE wearing (
            id INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            from_wall_ms INTEGER NOT NULL,
            to_wall_ms INTEGER NOT NULL,
            readings INTEGER NOT NULL,
            ending INTEGER REFERENCES word (id)
        ) STRICT;
        CREATE INDEX wearing_by_time ON wearing (to_wall_ms);
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
        CREATE VIEW readings AS
            SELECT strftime('%Y-%m-%dT%H:%M:%fZ', reading.wall_ms / 1000.0, 'unixepoch') AS time,
                reading.wall_ms AS wall_ms, sensor.name AS sensor, sensor.address AS address, sensor.kind AS kind,
                vital.text AS vital, reading.value / 100.0 AS value, quality.text AS quality,
                absence.text AS absence, site.text AS site, reading.device_time AS device_time,
                ifnull(epoch.run, epoch.id) AS run, reading.monotonic_ns AS monotonic_ns
            FROM reading
            JOIN sensor ON sensor.id = reading.sensor
            JOIN word AS vital ON vital.id = reading.vital
            JOIN epoch ON epoch.id = reading.epoch
            LEFT JOIN word AS quality ON quality.id = reading.quality
            LEFT JOIN word AS absence ON absence.id = reading.absence
            LEFT JOIN word AS site ON site.id = reading.site;
        """
}
