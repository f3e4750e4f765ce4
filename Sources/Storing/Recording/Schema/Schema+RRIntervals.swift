extension Schema {
    /// The RR intervals of heart-rate sensors: a row for each notification that has some.
    ///
    /// `intervals` is as on the air: two octets each, the lower one first, in units of 1/1024 s, the oldest interval
    /// first. The rows lie in the order of `wall_ms`, and `n` distinguishes those of one millisecond.
    static let version8 = """
        CREATE TABLE rr (
            wall_ms INTEGER NOT NULL,
            n INTEGER NOT NULL,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            monotonic_ns INTEGER NOT NULL,
            sensor INTEGER NOT NULL REFERENCES sensor (id),
            intervals BLOB NOT NULL,
            PRIMARY KEY (wall_ms, n)
        ) STRICT, WITHOUT ROWID;
        """
}
