extension Schema {
    /// How long Bedside had recorded into the store in all when an epoch began, and when the newest was written in it, by
    /// the clock that never jumps; in milliseconds.
    ///
    /// What is too old is found by this, because a wall clock may be wrong (``RecordAge``). Epochs from before it was
    /// counted have none.
    static let version4 = """
        ALTER TABLE epoch ADD COLUMN running_ms INTEGER;
        ALTER TABLE epoch ADD COLUMN last_running_ms INTEGER;
        """
}
