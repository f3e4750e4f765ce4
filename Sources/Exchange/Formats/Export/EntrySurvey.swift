import Vitals

/// What an encoder must know of the entries that it will write, before it writes the first.
public struct EntrySurvey {
    /// Whether there are none.
    public var isEmpty = true
    private(set) var keys = EntryKeys()
    private(set) var columns: Set<WideCSVEncoder.EntryColumn> = []

    /// Surveys entries.
    ///
    /// - Parameter entries: Those that others correct are enough, except for `csv-wide`, where all have columns.
    public init(_ entries: [RecordedEntry] = []) {
        for entry in entries { add(entry) }
    }

    /// Adds an entry.
    public mutating func add(_ recorded: RecordedEntry) {
        isEmpty = false
        keys.add(recorded)
        for column in WideCSVEncoder.columns(of: recorded.entry) where !columns.contains(column) {
            columns.insert(column)
        }
    }
}
