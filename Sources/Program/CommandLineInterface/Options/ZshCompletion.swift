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
        # The remembered sensors. Their names are not ours: compadd quotes them.
        _bedside_sensors() {
            local -a asked names shown
            local line
            integer at
            for ((at = 1; at < CURRENT; at++)); do
                case $words[at] in
                --patient) asked+=(--patient "${(Q)words[at+1]}") ;;
                --patient=*) asked+=("${(Q)words[at]}") ;;
                --simulate*) asked+=(--simulate) ;;
                esac
            done
            for line in "${(@f)$(bedside completions sensors $asked 2>/dev/null)}"; do
                [[ -n $line ]] || continue
                names+=("${line%%$'\\t'*}")
                shown+=("${line/$'\\t'/  }")
            done
            compadd "$@" -- all
            compadd "$@" -l -d shown -a names
        }
        # The settings, and then the words that the typed one takes.
        _bedside_settings() {
            if [[ $PREFIX == *=* ]]; then
                local setting=${PREFIX%%=*}
                compset -P '*='
                case $setting in
        \(settings)        esac
            else
                compadd "$@" -S = -- \(SettingWords.names.joined(separator: " "))
            fi
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

    /// The accepted words of each setting.
    private static var settings: String {
        SettingWords.choices.map { choice in
            "        \(choice.names.joined(separator: "|"))) compadd \"$@\" -- \(choice.words.joined(separator: " ")) ;;\n"
        }
        .joined()
    }

    private static func action(_ offered: CompletionWords) -> String {
        switch offered.source {
        case .sensors: return "_bedside_sensors"
        case .settings: return "_bedside_settings"
        case nil: break
        }
        let words = offered.words.joined(separator: " ")
        switch (offered.words.isEmpty, offered.takesFiles) {
        case (true, true): return "_files"
        case (true, false): return " "
        case (false, false): return "(\(words))"
        case (false, true): return "{compadd -- \(words); _files}"
        }
    }

    /// A text within a specification, with brackets and colons escaped.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
