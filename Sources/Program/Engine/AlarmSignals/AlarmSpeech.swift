import AlarmSignals
import Configuration
import EventLoops
import Glibc
import Monitoring
import Speech

/// Speaks alarms and answers through speech-dispatcher, for which nobody waits.
struct AlarmSpeech: Sendable {
    var language: SpeechLanguage

    private let client: SpeechClient
    private let work: OrderedWork<[SpeechOrder]>
    private var director = SpeechDirector()
    /// Why nothing is spoken; `nil` as long as that is unknown or something is.
    private var trouble: String?

    /// Looks for a dispatcher.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - loop: The loop on whose thread it is spoken to.
    ///   - onChange: Called on the loop's thread when it has changed whether anything is spoken.
    ///   - onRepetition: Called on the loop's thread when alarms that stand are to be spoken once more.
    init(
        _ language: SpeechLanguage, on loop: EventLoop, onChange: @escaping @Sendable (SpeechClient.State) -> Void,
        onRepetition: @escaping @Sendable () -> Void
    ) {
        let client = SpeechClient(loop: loop, onChange: onChange, onRepetition: onRepetition)
        (self.language, self.client) = (language, client)
        work = OrderedWork(on: loop) { await client.carryOut($0) }
        Task(executorPreference: loop) { await client.begin() }
    }

    /// Speaks alarms that begin, worsen or sound again, and silences those that no longer sound.
    mutating func follow(_ effects: [Effect], in state: borrowing MonitorState, _ composer: SpeechComposer) {
        append(director.orders(for: effects, in: state, composer: composer))
    }

    /// Speaks the worst alarm once more.
    mutating func repeatAlarm(in state: borrowing MonitorState, _ composer: SpeechComposer) {
        append(director.repeatedOrders(in: state, composer: composer))
    }

    /// Speaks an answer.
    ///
    /// - Returns: What is spoken, or why nothing is, as a sentence for the user.
    func answer(_ utterance: Utterance) -> String {
        append([.speak(utterance)])
        return trouble.map { "Not spoken: \($0)." } ?? "Spoken: \(utterance.text)."
    }

    /// Takes over whether anything is spoken.
    ///
    /// - Returns: A sentence for the user about a trouble that has begun.
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
    /// The language that a setting names; `nil` where nothing is spoken.
    init?(_ setting: Settings.Alarms.Speech) {
        switch setting {
        case .off: return nil
        case .english: self = .english
        case .german: self = .german
        case .auto:
            let names: [String] = ["LC_ALL", "LC_MESSAGES", "LANG"]
            let locale = names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
            self.init(locale: locale ?? "")
        }
    }
}
