import Base
import Vitals

/// Why the connection to a speech dispatcher is given up: a phrase for the user.
package enum SpeechError: Error, Hashable {
    /// It sent an invalid reply.
    case malformedReply
}

/// The client's side of SSIP, the protocol of speech-dispatcher, for one connection after another.
///
/// Each command is sent after the reply to the one before. A text is sent only when the server has announced that it
/// expects text, so that no text can become a command. The queue is bounded; the more important reason comes first.
///
/// Source: SSIP, the Speech Synthesis Interface Protocol, in the manual of speech-dispatcher 0.11.
package struct SpeechConversation: Sendable {
    /// How long an utterance may wait; later its numbers are no longer live.
    package static let patience = Duration.seconds(5)
    /// The number of utterances that may wait.
    package static let longestQueue = 4
    /// The greatest number of Unicode scalars of a text.
    package static let longestText = 400

    /// Whether a reply is missing.
    package var isAwaitingReply: Bool { awaited != nil }

    private enum Request {
        case name, cancel
        case language(SpeechLanguage)
        case priority(Priority)
        case speak(Utterance)
        case text(Utterance)
    }

    /// The priorities of SSIP in use.
    private enum Priority: String {
        /// Interrupts all other messages except important ones, and is never dropped.
        case important
        /// Interrupts only texts and messages of lower priority.
        case text
    }

    private struct Waiting {
        var utterance: Utterance
        var since: MonotonicTime
    }

    private var waiting: [Waiting] = []
    private var awaited: Request?
    private var isNamed = false
    private var isCancelWanted = false
    /// The utterance whose text the server expects.
    private var expected: Utterance?
    private var language: SpeechLanguage?
    private var priority: Priority?
    /// The last utterance that the server has accepted, unless it was cancelled.
    private var accepted: Utterance?

    /// Creates a conversation that has no connection yet.
    package init() {}

    /// Starts again with a new connection; the queue is kept.
    package mutating func connected() {
        let waiting = waiting
        self = SpeechConversation()
        self.waiting = waiting
    }

    /// Queues an utterance; if there are too many, the least important one is dropped.
    package mutating func speak(_ utterance: Utterance, at now: MonotonicTime) {
        // Two answers in the queue would speak two values of the same vital.
        if !utterance.isAlarm { waiting.removeAll { !$0.utterance.isAlarm } }
        let place = waiting.firstIndex { $0.utterance.rank < utterance.rank } ?? waiting.endIndex
        waiting.insert(Waiting(utterance: utterance, since: now), at: place)
        if waiting.count > Self.longestQueue { waiting.removeLast() }
    }

    /// Cancels all waiting and spoken alarms.
    package mutating func silenceAlarms() {
        waiting.removeAll { $0.utterance.isAlarm }
        var begun = [expected, accepted]
        switch awaited {
        case .speak(let utterance), .text(let utterance): begun.append(utterance)
        default: break
        }
        if begun.contains(where: { $0?.isAlarm ?? false }) { isCancelWanted = true }
    }

    /// Whether an utterance waits that is not too old.
    package mutating func isSpeechWaiting(at now: MonotonicTime) -> Bool {
        waiting.removeAll { now.since($0.since) > Self.patience }
        return !waiting.isEmpty
    }

    /// Whether an alarm waits whose text is not too old.
    package mutating func isAlarmWaiting(at now: MonotonicTime) -> Bool {
        isSpeechWaiting(at: now) && waiting[0].utterance.isAlarm
    }

    /// The next bytes to send; `nil` while a reply is pending, or without a text.
    package mutating func nextBytes(at now: MonotonicTime) -> [UInt8]? {
        if awaited != nil { return nil }
        guard let request = nextRequest(at: now) else { return nil }
        awaited = request
        let line: String
        switch request {
        case .name: line = "SET self CLIENT_NAME user:bedside:main"
        case .cancel: line = "CANCEL self"
        case .language(let language): line = "SET self LANGUAGE \(language.rawValue)"
        case .priority(let priority): line = "SET self PRIORITY \(priority.rawValue)"
        case .speak: line = "SPEAK"
        case .text(let utterance): line = Self.data(utterance.text)
        }
        return Array("\(line)\r\n".utf8)
    }

    /// Handles a line of the server, without its line feed.
    ///
    /// - Throws: ``SpeechError``; the connection cannot be used then.
    package mutating func receive(_ line: [UInt8]) throws(SpeechError) {
        let digits = line.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw .malformedReply
        }
        let (success, event) = (UInt8(ascii: "2"), UInt8(ascii: "7"))
        // More lines of the same reply follow; events were not requested.
        if line.dropFirst(3).first == UInt8(ascii: "-") || line[0] == event { return }
        guard let request = awaited else { throw .malformedReply }
        awaited = nil
        let isAccepted = line[0] == success
        switch request {
        case .name: isNamed = true
        case .cancel: accepted = nil
        // A server without that language or priority uses its own.
        case .language(let language): self.language = language
        case .priority(let priority): self.priority = priority
        case .speak(let utterance): expected = isAccepted ? utterance : nil
        case .text(let utterance): if isAccepted { accepted = utterance }
        }
    }

    private mutating func nextRequest(at now: MonotonicTime) -> Request? {
        if let expected {
            self.expected = nil
            return .text(expected)
        }
        if !isNamed { return .name }
        if isCancelWanted {
            isCancelWanted = false
            return .cancel
        }
        guard isSpeechWaiting(at: now), let next = waiting.first?.utterance else { return nil }
        // An important message interrupts only those of other priorities.
        if let accepted, accepted.isAlarm, next.rank > accepted.rank { return .cancel }
        if language != next.language { return .language(next.language) }
        let wanted = next.isAlarm ? Priority.important : .text
        if priority != wanted { return .priority(wanted) }
        waiting.removeFirst()
        return .speak(next)
    }

    /// A text as one line of data that cannot be a command, with the end-of-data mark.
    private static func data(_ text: String) -> String {
        let line = sanitized(text, limit: longestText)
        return (line.hasPrefix(".") ? "." : "") + line + "\r\n."
    }
}
