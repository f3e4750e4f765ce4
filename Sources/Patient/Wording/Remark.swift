/// A remark beside the value of a vital.
package struct Remark: Hashable {
    /// The kind of a remark, which decides its place and its precedence.
    package enum Kind {
        /// Precedes everything else: "POOR SIGNAL", "⊘ LIMITS OFF".
        case warning
        /// How much of its hour the fever rule has recorded, while that is too little to evaluate.
        case feverNotEvaluated
        /// The value of another vital beside this one: its name, then its number: "pulse 71", "skin 34.1 °C".
        case companion
        /// Adds detail about the value.
        case comment
    }

    /// The remark, from the longest text to the shortest.
    package var texts: [String]
    package var kind: Kind

    package var text: String { texts[0] }

    package init(_ text: String, _ kind: Kind = .comment) {
        self.init([text], kind)
    }

    /// - Parameter texts: At least one.
    package init(_ texts: [String], _ kind: Kind) {
        self.texts = texts
        self.kind = kind
    }
}
