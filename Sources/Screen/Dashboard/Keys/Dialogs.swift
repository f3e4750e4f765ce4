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
    /// Whether this is the very first start, which is greeted.
    public var showsWelcome = false
    /// What is typed of an answer that a pairing wants.
    var pairingPrompt: TextPrompt?
    private var question: Question?
    /// What pairings came to, by address, where the user has closed it.
    private var closedPairings: [String: PairingState] = [:]

    private struct Question: Hashable, Sendable {
        var line: InputLine
        var explanation: String?
    }

    /// The input or question that replaces the key bar.
    var inputLine: InputLine? { question?.line }

    /// What stands above that line: why it was refused, what the answer brings.
    var explanation: String? { question?.explanation }

    /// Asks a question, replacing any earlier one and the card that greets.
    mutating func ask(_ line: InputLine, _ explanation: String? = nil) {
        showsWelcome = false
        question = Question(line: line, explanation: explanation)
    }

    /// Takes over what was typed.
    mutating func update(_ line: InputLine) { question?.line = line }

    /// Says something else above the line.
    mutating func explain(_ explanation: String?) { question?.explanation = explanation }

    /// Asks nothing any more.
    mutating func closeInputLine() { question = nil }

    /// Whether the user has closed what a pairing came to.
    func isClosed(_ pairing: PairingState, of address: String) -> Bool { closedPairings[address] == pairing }

    /// Closes what a pairing came to.
    mutating func close(_ pairing: PairingState, of address: String) { closedPairings[address] = pairing }

    /// Shows the next pairing with a sensor, whatever its result.
    mutating func reopenPairing(of address: String) { closedPairings[address] = nil }
}
