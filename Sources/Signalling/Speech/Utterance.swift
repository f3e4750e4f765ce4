import Monitoring

/// A text that is spoken without a break.
package struct Utterance: Hashable, Sendable {
    /// Why it is spoken.
    package enum Reason: Hashable, Sendable {
        /// A user has asked for it.
        case answer
        case alarm(AlarmPriority)
    }

    package let text: String
    /// The language of the text.
    package let language: SpeechLanguage
    /// Why it is spoken.
    package let reason: Reason

    /// Creates an utterance.
    package init(_ text: String, _ language: SpeechLanguage, _ reason: Reason) {
        (self.text, self.language, self.reason) = (text, language, reason)
    }

    /// The rank of a reason: of two, the higher one is spoken first and interrupts the other.
    var rank: Int {
        switch reason {
        case .answer: 0
        case .alarm(.low): 1
        case .alarm(.medium): 2
        case .alarm(.high): 3
        }
    }

    /// Whether it is an alarm.
    var isAlarm: Bool { reason != .answer }
}
