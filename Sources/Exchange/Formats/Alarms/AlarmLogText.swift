import Monitoring
import Base
import Vitals

/// Formats entries of the alarm log as lines of text: date, time, priority, state, text.
public struct AlarmLogText {
    private var time = TimestampText()
    private let isColored: Bool
    private let isSimulated: Bool
    private let offset: (Moment) -> Int

    /// Creates a formatter.
    ///
    /// - Parameters:
    ///   - isColored: Whether the priority is also shown by colour, in the sequences of ECMA-48.
    ///   - isSimulated: Whether the data are simulated, which every line says.
    ///   - offset: The local time's offset from UTC at a moment, in seconds, positive to the east.
    public init(isColored: Bool, isSimulated: Bool, offset: @escaping (Moment) -> Int) {
        (self.isColored, self.isSimulated) = (isColored, isSimulated)
        self.offset = offset
    }

    /// The line of an entry, with its end.
    public mutating func line(_ entry: AlarmLogEntry) -> String {
        let (mark, word, text) = Self.parts(of: entry)
        let padded = word + String(repeating: " ", count: max(0, Self.wordWidth - word.count))
        let line =
            "\(localTime(of: entry.moment))  \(mark)  \(padded)  \(isSimulated ? "SIMULATED " : "")\(sanitized(text, limit: 240))"
        guard isColored, let color = Self.color(of: entry) else { return line + "\n" }
        return "\u{1B}[\(color)m\(line)\u{1B}[0m\n"
    }

    private static let wordWidth = 12

    private static func parts(of entry: AlarmLogEntry) -> (mark: String, word: String, text: String) {
        switch entry.content {
        case .change(let change):
            let mark =
                switch change.priority {
                case .high: "!!!"
                case .medium: "!! "
                case .low: "!  "
                }
            return (mark, change.state.text, "\(change.text) (alarm \(change.id))")
        case .action(let action):
            return ("   ", action.actor == .user ? "by a user" : "by itself", action.text)
        }
    }

    /// Red, yellow and cyan for the priorities of IEC 60601-1-8, while the alarm needs attention.
    private static func color(of entry: AlarmLogEntry) -> Int? {
        guard case .change(let change) = entry.content, change.state == .active || change.state == .alertedAgain else {
            return nil
        }
        return switch change.priority {
        case .high: 31
        case .medium: 33
        case .low: 36
        }
    }

    /// The local time, such as `2026-01-02 03:04:05`.
    private mutating func localTime(of moment: Moment) -> String {
        var bytes: [UInt8] = []
        time.append(moment.wallMilliseconds.addingSaturated(Int64(offset(moment)) * 1000), to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    }
}

extension AlarmLogEntry.State {
    /// The state in plain words.
    var text: String {
        switch self {
        case .active: "active"
        case .suspended: "suspended"
        case .acknowledged: "acknowledged"
        case .alertedAgain: "again"
        case .ended: "ended"
        case .putAway: "put away"
        case .interrupted: "interrupted"
        case .unanswered: "unanswered"
        }
    }
}
