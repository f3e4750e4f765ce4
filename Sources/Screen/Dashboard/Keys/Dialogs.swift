import Vitals

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
