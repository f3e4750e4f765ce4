/// A store as the first version of the program made it, word for word.
///
/// It is a copy, not a reference: what was released does not change when the program does.
enum FirstVersion {
    static let schema = """
        CREATE TABLE epoch (
            id INTEGER PRIMARY KEY,
            wall_ms INTEGER NOT NULL,
            monotonic_ns INTEGER NOT NULL,
            program_version TEXT NOT NULL
        ) STRICT;
        CREATE TABLE sensor (
            id INTEGER PRIMARY KEY,
            address TEXT NOT NULL,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            UNIQUE (address, name, kind)
        ) STRICT;
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
        PRAGMA application_id = 1111835731;
        PRAGMA user_version = 1;
        """

    static let rows = """
        INSERT INTO epoch VALUES (1, 1700000000000, 5000, '0.1.0');
        INSERT INTO sensor VALUES (1, 'C0:52:49:00:00:01', 'CORE [1A]', 'core');
        INSERT INTO alarm_log (epoch, wall_ms, monotonic_ns, episode, since_wall_ms, kind, class, priority, state,
            sensor, vital, site, value, peak, crossed_limit, text)
        VALUES (1, 1700000001000, 6000, 3, 1700000000000, 'fever_single', 'physiological', 'high', 'active', 1,
            'body_temperature', 'core', 3860, 3870, 3830, 'Fever 38.6 °C');
        INSERT INTO alarm_log (epoch, wall_ms, monotonic_ns, actor, action, episodes, text)
        VALUES (1, 1700000002000, 7000, 'user', 'acknowledged', '3', '1 alarm acknowledged');
        """
}
