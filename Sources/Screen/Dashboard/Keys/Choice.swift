import Appearance

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
