import Monitoring

extension Recorder {
    /// The path, writer and limits of a store.
    public struct Place: Hashable, Sendable {
        /// The file.
        public var path: String
        /// Today's date, for a damaged store's name: `2026-01-02`.
        public var day: String
        public var programVersion: String
        /// The limits of age and size.
        public var retention: Retention

        public init(path: String, day: String, programVersion: String, retention: Retention = Retention()) {
            self.path = path
            self.day = day
            self.programVersion = programVersion
            self.retention = retention
        }
    }

    /// The content of the store when it was opened.
    public struct Opening: Hashable, Sendable {
        /// The newest entries of earlier runs, the oldest first.
        public var log: [AlarmLogEntry] = []
        /// The outstanding alarms of earlier runs about the patient.
        public var alarms = OutstandingAlarms()
        /// The memory; `nil` if it cannot be read.
        public var memory: StoredMemory?
        /// A sentence for the user about a problem of the store; `nil` for none.
        public var trouble: String?
    }
}
