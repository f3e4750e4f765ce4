/// The completion for fish.
enum FishCompletion {
    /// The script.
    static var script: String {
        """
        # Completes bedside in fish. Printed by bedside completions fish.
        complete -c bedside -f
        \(Subcommand.named.map(command).joined())\
        \(Subcommand.allCases.map(details).joined())
        """
    }

    private static func command(_ subcommand: Subcommand) -> String {
        let summary = Shell.quoted(Shell.summary(subcommand.summary))
        return "complete -c bedside -n __fish_use_subcommand -a \(subcommand.rawValue) -d \(summary)\n"
    }

    /// The options and operands of a subcommand.
    private static func details(of subcommand: Subcommand) -> String {
        let isMeant =
            subcommand.isDefault
            ? "__fish_use_subcommand" : Shell.quoted("__fish_seen_subcommand_from \(subcommand.rawValue)")
        let start = "complete -c bedside -n \(isMeant)"
        var text = ""
        for option in subcommand.options {
            text += "\(start) -l \(option.name)"
            if let letter = option.letter { text += " -s \(letter)" }
            // -r: a value must follow; -F: it may be a file.
            if option.needsValue { text += " -r" }
            if option.value != .none { text += offered(option.completion) }
            text += " -d \(Shell.quoted(Shell.summary(option.explanation)))\n"
        }
        if subcommand.completion != CompletionWords() { text += start + offered(subcommand.completion) + "\n" }
        return text
    }

    private static func offered(_ offered: CompletionWords) -> String {
        (offered.takesFiles ? " -F" : "")
            + (offered.words.isEmpty ? "" : " -a \(Shell.quoted(offered.words.joined(separator: " ")))")
    }
}
