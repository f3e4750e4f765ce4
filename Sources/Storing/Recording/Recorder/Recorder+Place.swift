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
        /// The folder in which earlier versions kept what is remembered; `nil` for none.
        public var earlierFolder: String?

        public init(
            path: String, day: String, programVersion: String, retention: Retention = Retention(),
            earlierFolder: String? = nil
        ) {
            self.path = path
            self.earlierFolder = earlierFolder
            self.day = day
            self.programVersion = programVersion
            self.retention = retention
        }
    }

    /// What the store knew when it was opened.
    public struct Opening: Hashable, Sendable {
        /// The newest entries of earlier runs, the oldest first.
        public var log: [AlarmLogEntry] = []
        /// The outstanding alarms of earlier runs about the patient.
        public var alarms = OutstandingAlarms()
        /// What is remembered; `nil` when it cannot be read.
        public var memory: StoredMemory?
        /// A sentence for the user about what is wrong with the store; `nil` when nothing is.
        public var trouble: String?
    }
}
