/// Something to say beside the value of a vital.
struct Remark: Hashable {
    /// What a remark is for, which decides where it stands and what it gives way to.
    enum Kind {
        /// Comes before everything else: "POOR SIGNAL", "⊘ LIMITS OFF".
        case warning
        /// Says that fever cannot be judged; has shorter wordings (``FeverRemarks/cannotEvaluateLabels``).
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
