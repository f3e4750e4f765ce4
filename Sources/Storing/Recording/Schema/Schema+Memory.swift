extension Schema {
    /// What is remembered from one start to the next, by the latest decision only.
    ///
    /// A *remembered sensor* is one that the user connected, named or assigned; the order of `id` is that in which they
    /// were first remembered, and `vitals` lists the assigned ones with spaces between. A *changed limit* is a rule that
    /// differs from the settings: `value` is in hundredths of the vital's unit, and `milliseconds` is the delay of a limit,
    /// the window of a rate of change or the duration of a flat line; null means that the rule is off. An *owned link* is
    /// one that Bedside made, and by which connection to which daemon.
    static let version6 = """
        CREATE TABLE remembered_sensor (
            id INTEGER PRIMARY KEY,
            address TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            label TEXT,
            wanted INTEGER CHECK (wanted IN (0, 1)),
            vitals TEXT NOT NULL
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
        CREATE TABLE owned_link (
            address TEXT PRIMARY KEY,
            bus TEXT NOT NULL,
            daemon TEXT NOT NULL,
            client TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
