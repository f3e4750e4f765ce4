import AlarmSignals
import Monitoring
import Recording

extension AlarmDispatcher {
    /// The messages for the owner.
    enum Report: Sendable {
        /// Whether the store can be written has changed.
        case storage(StorageState)
        /// Whether the sound system works has changed.
        case soundOutput(SoundOutput)
        /// Whether speech works has changed.
        case speech(SpeechClient.State)
        /// The present alarms are to be spoken once more, because speech may have failed.
        case speechRepetition
        /// A sentence for the user.
        case warning(String)
        /// The data of earlier runs, from a store that was slow to open.
        case earlierRuns(EarlierRuns)
    }

    /// The data of earlier runs from the store.
    struct EarlierRuns: Sendable {
        /// The newest entries of the log, for the screen.
        var log: [AlarmLogEntry] = []
        /// The alarms that were not over.
        var alarms = OutstandingAlarms()
        /// The remembered data; `nil` when they are unknown.
        var memory: StoredMemory?
    }
}
