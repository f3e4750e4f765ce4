/// The completion for the Z shell.
enum ZshCompletion {
    /// The script, a file named `_bedside` in a folder of `$fpath`.
    static var script: String {
        """
        #compdef bedside
        # Completes bedside in the Z shell. Printed by bedside completions zsh.
        _bedside() {
            local -a commands=(
        \(Subcommand.named.map(command).joined())    )
            if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
                _describe -t commands command commands
                return
            fi
            local command=dashboard
            if [[ $words[2] != -* ]]; then
                command=$words[2]
                shift words
                ((CURRENT--))
            fi
            case $command in
        \(Subcommand.allCases.map(arguments).joined())    esac
        }
        if [[ $funcstack[1] == _bedside ]]; then _bedside "$@"; else compdef _bedside bedside; fi

        """
    }

    private static func command(_ subcommand: Subcommand) -> String {
        "        \(Shell.quoted("\(subcommand.rawValue):\(Shell.summary(subcommand.summary))"))\n"
    }

    /// The call of `_arguments` for a subcommand.
    private static func arguments(of subcommand: Subcommand) -> String {
        var text = "    \(subcommand.rawValue))\n        _arguments -s"
        for option in subcommand.options {
            for name in ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? []) {
                text += " \\\n            " + Shell.quoted("*" + specification(of: option, called: name))
            }
        }
        if subcommand.completion != CompletionWords() {
            text += " \\\n            " + Shell.quoted("1:operand:\(action(subcommand.completion))")
        }
        if !subcommand.operands.isEmpty {
            let rest = subcommand == .replay || subcommand == .config ? "_files" : ""
            text += " \\\n            " + Shell.quoted("*:operand:\(rest)")
        }
        return text + " ;;\n"
    }

    private static func specification(of option: Option, called name: String) -> String {
        let explanation = "[\(escaped(Shell.summary(option.explanation)))]"
        let isLong = name.hasPrefix("--")
        switch option.value {
        case .none: return name + explanation
        case .required(let value):
            return name + (isLong ? "=" : "+") + explanation + ":\(escaped(value)):\(action(option.completion))"
        case .optional(let value):
            return name + (isLong ? "=-" : "-") + explanation + "::\(escaped(value)):\(action(option.completion))"
        }
    }

    private static func action(_ offered: CompletionWords) -> String {
        let words = offered.words.joined(separator: " ")
        switch (offered.words.isEmpty, offered.takesFiles) {
        case (true, true): return "_files"
        case (true, false): return " "
        case (false, false): return offered.continues ? "{compadd -S \"\" -- \(words)}" : "(\(words))"
        case (false, true): return "{compadd -- \(words); _files}"
        }
    }

    /// A text within a specification, where brackets and colons have a meaning.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
