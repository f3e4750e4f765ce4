extension Schema {
    /// Wear periods without an index by time.
    ///
    /// Their ends move with every value, so the index was rewritten each second, while few rows are searched rarely.
    static let version9 = """
        DROP INDEX wearing_by_time;
        """
}
