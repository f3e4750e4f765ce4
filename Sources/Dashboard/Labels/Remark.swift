/// A remark beside the value of a vital.
struct Remark: Hashable {
    /// The kind of a remark, which decides its place and its precedence.
    enum Kind {
        /// Comes before everything else: "POOR SIGNAL", "⊘ LIMITS OFF".
        case warning
        /// Fever cannot be evaluated; has shorter texts (``FeverRemarks/cannotEvaluateLabels``).
        case unjudgedFever
        /// Says more about the value.
        case comment
    }

    var text: String
    var kind: Kind

    init(_ text: String, _ kind: Kind = .comment) {
        self.text = text
        self.kind = kind
    }
}
