import Monitoring

extension Recorder {
    /// The path, writer and limits of a store.
    public struct Place: Hashable, Sendable {
        /// The file.
        public var path: String
        /// Today's date, which becomes part of a damaged store's name: `2026-01-02`.
        public var day: String
        /// The version of the program.
        public var programVersion: String
        /// What is kept.
        public var retention: Retention

        public init(path: String, day: String, programVersion: String, retention: Retention = Retention()) {
            self.path = path
            self.day = day
            self.programVersion = programVersion
            self.retention = retention
        }
    }

    /// The result of opening the store.
    public struct Opening: Hashable, Sendable {
        /// The newest entries of earlier runs, the oldest first.
        public var log: [AlarmLogEntry] = []
        /// The outstanding alarms of earlier runs about the patient.
        public var alarms = OutstandingAlarms()
        /// A sentence for the user about what is wrong with the store; `nil` when nothing is.
        public var trouble: String?
    }
}
