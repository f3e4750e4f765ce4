import AlarmSignals
import Configuration
import EventLoops
import Glibc
import Monitoring
import Speech
import UserFiles

/// Speaks alarms and answers through speech-dispatcher, without blocking its callers.
struct AlarmSpeech: Sendable {
    var language: SpeechLanguage

    private let client: SpeechClient
    private let work: OrderedWork<[SpeechOrder]>
    private var director = SpeechDirector()
    /// Why nothing is spoken; `nil` while that is unknown or speech works.
    private var trouble: String?

    /// Creates a speech, which looks for speech-dispatcher.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - loop: The loop whose thread talks to it.
    ///   - onChange: Called on the loop's thread when speech begins to work or fails.
    ///   - onRepetition: Called on the loop's thread when the present alarms are to be spoken once more.
    init(
        _ language: SpeechLanguage, on loop: EventLoop, onChange: @escaping @Sendable (SpeechClient.State) -> Void,
        onRepetition: @escaping @Sendable () -> Void
    ) {
        let client = SpeechClient(loop: loop, onChange: onChange, onRepetition: onRepetition)
        (self.language, self.client) = (language, client)
        work = OrderedWork(on: loop) { await client.carryOut($0) }
        Task(executorPreference: loop) { await client.begin() }
    }

    /// Speaks alarms that begin, worsen or sound again, and stops speaking those that no longer sound.
    mutating func follow(_ effects: [Effect], in state: borrowing MonitorState, _ composer: SpeechComposer) {
        append(director.orders(for: effects, in: state, composer: composer))
    }

    /// Speaks the worst alarm once more.
    mutating func repeatAlarm(in state: borrowing MonitorState, _ composer: SpeechComposer) {
        append(director.repeatedOrders(in: state, composer: composer))
    }

    /// Speaks an answer.
    ///
    /// - Returns: The spoken text, or why nothing is spoken, as a sentence for the user.
    func answer(_ utterance: Utterance) -> String {
        append([.speak(utterance)])
        return trouble.map { "Not spoken: \($0)." } ?? "Spoken: \(utterance.text)."
    }

    /// Handles whether speech works.
    ///
    /// - Returns: A sentence for the user about a new problem.
    mutating func changed(to new: SpeechClient.State) -> String? {
        guard case .unavailable(let reason) = new else {
            trouble = nil
            return nil
        }
        defer { trouble = reason }
        return trouble == nil ? "Alarms are not spoken: \(reason)." : nil
    }

    /// Ends the speech.
    func close() async {
        work.append([.silenceAlarms])
        await work.finish()
        await client.close()
    }

    private func append(_ orders: [SpeechOrder]) {
        if !orders.isEmpty { work.append(orders) }
    }
}

extension SpeechLanguage {
    /// The language of a setting; `nil` if nothing is spoken.
    init?(_ setting: Settings.Alarms.Speech) {
        switch setting {
        case .off: return nil
        case .english: self = .english
        case .german: self = .german
        case .auto:
            let names: [String] = ["LC_ALL", "LC_MESSAGES", "LANG"]
            let locale = names.lazy.compactMap(Environment.value).first
            self.init(locale: locale ?? "")
        }
    }
}
