import Appearance

/// A question in one line that is answered by one key; every other key but Esc means nothing to it.
public struct Choice: Hashable, Sendable {
    /// What is asked.
    public let question: String
    /// The possible answers, in the order in which they are shown.
    public let answers: [Answer]

    /// One answer.
    public struct Answer: Hashable, Sendable {
        /// The key that gives it.
        public let key: Unicode.Scalar
        /// What it says, such as "yes".
        public let label: String
        /// What the program has to do then; `nil` for nothing.
        public let intent: Intent?
        /// What is asked next, if anything.
        let next: Next?

        /// What an answer leads to, if not to something that is done.
        enum Next: Hashable, Sendable {
            /// Octets to write to the selected characteristic.
            case octets
        }

        public init(_ key: Unicode.Scalar, _ label: String, _ intent: Intent?) {
            self.init(key, label, intent, next: nil)
        }

        init(_ key: Unicode.Scalar, _ label: String, _ intent: Intent? = nil, next: Next?) {
            self.key = key
            self.label = label
            self.intent = intent
            self.next = next
        }
    }

    public init(_ question: String, _ answers: [Answer]) {
        self.question = question
        self.answers = answers
    }

    /// Makes a question that is answered with yes or no; only `y` makes anything happen.
    public init(_ question: String, ifYes intent: Intent) {
        self.init(question, [Answer("y", "yes", intent), Answer("n", "no", nil)])
    }

    /// The answer that a key gives.
    func answer(to key: Key) -> Answer? {
        guard case .character(let scalar) = key else { return nil }
        return answers.first { $0.key == scalar || $0.key == scalar.properties.lowercaseMapping.unicodeScalars.first }
    }
}
