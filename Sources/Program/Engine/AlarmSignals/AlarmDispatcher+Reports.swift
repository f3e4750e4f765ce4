import AlarmSignals
import Monitoring
import Recording

extension AlarmDispatcher {
    /// The messages for the owner.
    enum Report: Sendable {
        /// It has changed whether the store can be written.
        case storage(StorageState)
        /// It has changed whether anything is heard through the sound system.
        case soundOutput(SoundOutput)
        /// It has changed whether anything is spoken.
        case speech(SpeechClient.State)
        /// Alarms that stand are to be spoken once more, because nobody may have heard them.
        case speechRepetition
        /// A sentence for the user.
        case warning(String)
        /// What earlier runs have left in a store that took its time to open.
        case earlierRuns(EarlierRuns)
    }

    /// What earlier runs have left in the store.
    struct EarlierRuns: Sendable {
        /// What the log on the screen begins with.
        var log: [AlarmLogEntry] = []
        /// The alarms that were not over.
        var alarms = OutstandingAlarms()
        /// What is remembered; `nil` when that is unknown.
        var memory: StoredMemory?
    }
}
