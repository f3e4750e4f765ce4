enum FishCompletion {
    static var script: String {
        """
        # Completes bedside in fish. Printed by bedside completions fish.
        complete -c bedside -f
        # The remembered sensors, each with its address.
        function __bedside_sensors
            set -l asked
            set -l tokens (commandline -opc)
            for at in (seq (count $tokens))
                switch $tokens[$at]
                    case --patient
                        set -a asked --patient $tokens[(math $at + 1)]
                    case '--patient=*'
                        set -a asked $tokens[$at]
                    case '--simulate*'
                        set -a asked --simulate
                end
            end
            bedside completions sensors $asked 2>/dev/null
        end
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
        var words = offered.words
        switch offered.source {
        case .sensors: words.append("(__bedside_sensors)")
        case .settings:
            let choices = SettingWords.choices.flatMap { choice in
                choice.names.flatMap { name in choice.words.map { "\(name)=\($0)" } }
            }
            let chosen = Set(SettingWords.choices.flatMap(\.names))
            words += SettingWords.names.filter { !chosen.contains($0) }.map { "\($0)=" } + choices
        case nil: break
        }
        return (offered.takesFiles ? " -F" : "")
            + (words.isEmpty ? "" : " -a \(Shell.quoted(words.joined(separator: " ")))")
    }
}
