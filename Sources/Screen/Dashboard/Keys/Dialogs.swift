import Appearance
import Base
import Entries
import Monitoring
import Vitals
import Wording

/// Messages, questions and input on the screen.
public struct Dialogs: Hashable, Sendable {
    /// A short message to the user; replaces the key bar for five seconds, or until the next key press or alarm.
    public var message: String? {
        get { shown?.text }
        set { shown = newValue.map { ShownMessage($0) } }
    }
    /// The message, and since when it is shown.
    var shown: ShownMessage?
    /// Whether this is the very first start, which shows the welcome card.
    public var showsWelcome = false
    /// The text typed so far as an answer to a pairing.
    var pairingPrompt: TextPrompt?
    private var question: Question?
    /// Results of pairings, by address, that the user has closed.
    private var closedPairings: [String: PairingState] = [:]

    private struct Question: Hashable, Sendable {
        var line: InputLine
        var explanation: String?
        /// When and beside which alarms it was asked, for a question that nobody has opened.
        var unasked: ShownMessage?
    }

    /// The input or question that replaces the key bar.
    var inputLine: InputLine? { question?.line }

    /// The text above that line: why it was refused, or the consequence of an answer.
    var explanation: String? { question?.explanation }

    /// Asks a question; replaces any earlier one and the welcome card.
    mutating func ask(_ line: InputLine, _ explanation: String? = nil) {
        showsWelcome = false
        question = Question(line: line, explanation: explanation)
    }

    /// Asks a question that nobody has opened: it ends at the next alarm, which needs the keys.
    mutating func askUnasked(_ line: InputLine, _ explanation: String?) {
        ask(line, explanation)
        question?.unasked = ShownMessage("")
    }

    /// Ends a question that nobody has opened, once an alarm has become unanswered or more urgent.
    mutating func followUnasked(in state: MonitorState, at now: Moment) {
        guard var unasked = question?.unasked else { return }
        unasked.begin(in: state, at: now)
        question?.unasked = unasked
        if unasked.isOver(after: .seconds(86_400), in: state, at: now) { question = nil }
    }

    /// Stores the typed text.
    mutating func update(_ line: InputLine) { question?.line = line }

    /// Replaces the text above the line.
    mutating func explain(_ explanation: String?) { question?.explanation = explanation }

    /// Ends the question.
    mutating func closeInputLine() { question = nil }

    /// Whether the user has closed the result of a pairing.
    func isClosed(_ pairing: PairingState, of address: String) -> Bool { closedPairings[address] == pairing }

    /// Closes the result of a pairing.
    mutating func close(_ pairing: PairingState, of address: String) { closedPairings[address] = pairing }

    /// Shows the next pairing with a sensor, whatever its result.
    mutating func reopenPairing(of address: String) { closedPairings[address] = nil }
}

/// An input that replaces the key bar and receives all keys.
enum InputLine: Hashable, Sendable {
    /// The filter, which takes effect while it is typed.
    case filter(TextPrompt)
    /// A new name for the sensor with an address.
    case rename(address: String, TextPrompt)
    /// A text that entries of the alarm log must contain, which takes effect while it is typed.
    case logFilter(TextPrompt)
    case limit(LimitPlace, TextPrompt)
    /// A manual entry.
    case entry(ManualDraft)
    /// Why an entry of the record is a mistake.
    case reason(ReasonDraft)
    /// The answers to a form.
    case form(FormDraft)
    /// A text that settings must contain, which works while it is typed.
    case settingsFilter(TextPrompt)
    /// The value of the setting with a name.
    case setting(String, TextPrompt)
    /// How often the thermometer with an address measures, in seconds.
    case interval(address: String, TextPrompt)
    /// Octets to write to a characteristic, with or without a response.
    case octets(address: String, characteristic: Int, withResponse: Bool, TextPrompt)
    /// A question.
    case choice(Choice)
}

/// A message in the lowest line, with its time.
///
/// It answers a key, so it is useless after a few seconds, and less important than any later alarm.
struct ShownMessage: Hashable {
    /// How long it is shown.
    static let time = Duration.seconds(5)

    let text: String
    /// When it was first shown; `nil` before.
    private var since: Moment?
    /// The alarms that were unanswered then, with their priorities.
    private var alarms: [Alarm.ID: AlarmPriority] = [:]

    init(_ text: String) {
        self.text = text
    }

    /// Begins to show it, unless it is shown already.
    mutating func begin(in state: MonitorState, at now: Moment) {
        guard since == nil else { return }
        since = now
        alarms = Self.alarms(in: state)
    }

    /// When it ends by time alone; `time` is longer if seconds pass faster.
    func end(after time: Duration, at now: Moment) -> Moment { (since ?? now).advanced(by: time) }

    /// Whether it has ended: its time has passed, or an alarm has become unanswered or more urgent.
    func isOver(after time: Duration, in state: MonitorState, at now: Moment) -> Bool {
        guard let since else { return false }
        // The time of a recording may go back.
        if now < since || now >= since.advanced(by: time) { return true }
        return Self.alarms(in: state).contains { id, priority in alarms[id].map { priority > $0 } ?? true }
    }

    private static func alarms(in state: MonitorState) -> [Alarm.ID: AlarmPriority] {
        Dictionary(uniqueKeysWithValues: state.alarms.filter(\.isFlashing).map { ($0.id, $0.priority) })
    }
}

extension ScreenState {
    /// Begins to show a new message, and ends an expired one.
    mutating func followMessage(in state: MonitorState, at now: Moment) {
        dialogs.followUnasked(in: state, at: now)
        guard var message = dialogs.shown else { return }
        if message.isOver(after: messageTime, in: state, at: now) {
            dialogs.message = nil
        } else {
            message.begin(in: state, at: now)
            dialogs.shown = message
        }
    }

    /// When the message ends by time alone; `nil` without one.
    func messageEnd(at now: Moment) -> Moment? { dialogs.shown?.end(after: messageTime, at: now) }

    /// How long a message is shown, in the time of the screen: the seconds of a recording may pass faster.
    private var messageTime: Duration {
        guard let replay = session.replay else { return ShownMessage.time }
        return ShownMessage.time * min(max(1, Double(replay.speed) ?? 1000), 1000)
    }
}

/// A question in one line that is answered by one key; every other key but Esc is ignored.
public struct Choice: Hashable, Sendable {
    /// The text of the question.
    public let question: String
    /// The possible answers, in the order in which they are shown.
    public let answers: [Answer]

    public struct Answer: Hashable, Sendable {
        /// The key of the answer.
        public let key: Unicode.Scalar
        /// Its label, such as "yes".
        public let label: String
        /// The resulting wish; `nil` for none.
        public let wish: ScreenWish?
        /// The next question, if any.
        let next: Next?

        /// The next question of an answer without a wish.
        enum Next: Hashable, Sendable {
            /// Octets to write to the selected characteristic.
            case octets
        }

        public init(_ key: Unicode.Scalar, _ label: String, _ wish: ScreenWish?) {
            self.init(key, label, wish, next: nil)
        }

        init(_ key: Unicode.Scalar, _ label: String, _ wish: ScreenWish? = nil, next: Next?) {
            self.key = key
            self.label = label
            self.wish = wish
            self.next = next
        }
    }

    public init(_ question: String, _ answers: [Answer]) {
        self.question = question
        self.answers = answers
    }

    /// Creates a yes-or-no question; only `y` has an effect.
    public init(_ question: String, ifYes wish: ScreenWish) {
        self.init(question, [Answer("y", "yes", wish), Answer("n", "no", nil)])
    }

    /// The answer of a key.
    func answer(to key: Key) -> Answer? {
        guard case .character(let scalar) = key else { return nil }
        return answers.first { $0.key == scalar || $0.key == scalar.properties.lowercaseMapping.unicodeScalars.first }
    }
}

/// A line in which the user types a short text: a name, a number, a search text.
///
/// A value: it handles keys, and `view(columns:)` returns the text to draw. Whatever is typed or pasted, the text stays
/// one line of printable characters and within its limit.
public struct TextPrompt: Hashable, Sendable {
    /// The label, such as "Name".
    public let title: String
    /// The greatest number of characters (Unicode scalars) of the text.
    public let limit: Int
    /// The text before the cursor.
    private var before: String
    /// The text from the cursor on.
    private var after = ""
    /// Whether the whole text is selected, so that what is typed replaces it.
    private(set) var isSelected: Bool

    /// Creates a line with a text, which is selected.
    public init(_ title: String, text: String = "", limit: Int = 64) {
        self.title = title
        self.limit = max(1, limit)
        before = ""
        isSelected = false
        for scalar in text.unicodeScalars { insert(scalar) }
        isSelected = !before.isEmpty
    }

    /// The typed text.
    public var text: String { before + after }

    /// The result of a key press.
    public enum Outcome: Hashable, Sendable {
        /// The text or the cursor changed.
        case edited
        /// The user confirmed the text.
        case accepted
        /// The user cancelled.
        case cancelled
        /// The key has no effect.
        case ignored
    }

    /// Handles a key.
    public mutating func keyPressed(_ key: Key) -> Outcome {
        let old = self
        if isSelected, key.changesText {
            (before, after) = ("", "")
            if key.erases {
                isSelected = false
                return .edited
            }
        }
        switch key {
        case .enter: return .accepted
        case .escape: return .cancelled
        case .character(let scalar): insert(scalar)
        // Only Enter confirms: the end of a pasted line is a blank like others.
        case .pasted(let scalar): insert(scalar.properties.isWhitespace ? " " : scalar)
        case .left: before.popLast().map { after = String($0) + after }
        case .right: takeFirst().map { before.append($0) }
        case .home:
            after = before + after
            before = ""
        case .end:
            before += after
            after = ""
        case .backspace: _ = before.popLast()
        case .delete: _ = takeFirst()
        case .eraseLine: before = ""
        case .up, .down, .pageUp, .pageDown, .tab, .function, .other: return .ignored
        }
        isSelected = false
        return self == old ? .ignored : .edited
    }

    private mutating func takeFirst() -> Character? {
        after.isEmpty ? nil : after.removeFirst()
    }

    private mutating func insert(_ scalar: Unicode.Scalar) {
        // Characters that are not shown unchanged (control characters, invisible ones) are not accepted either.
        guard scalar.printable == scalar, scalar != "\u{FFFD}", text.unicodeScalars.count < limit else { return }
        before.unicodeScalars.append(scalar)
    }

    /// The part of the text around the cursor that fits, and the cursor's column in it.
    ///
    /// - Parameter columns: The width, with space for the cursor after the text.
    func view(columns: Int) -> (text: String, cursor: Int) {
        guard columns > 0 else { return ("", 0) }
        var shown = Substring(before)
        var width = columnWidth(of: before)
        while width > columns - 1, let first = shown.first {
            width -= columnWidth(of: String(first))
            shown.removeFirst()
        }
        return (String(shown) + after, max(0, width))
    }
}

extension Key {
    /// Whether it erases a part of a text.
    fileprivate var erases: Bool { [.backspace, .delete, .eraseLine].contains(self) }

    /// Whether it changes a text, and not only the place of the cursor.
    fileprivate var changesText: Bool {
        switch self {
        case .character, .pasted: true
        default: erases
        }
    }
}
