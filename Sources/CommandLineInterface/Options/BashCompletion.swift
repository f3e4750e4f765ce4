/// The completion for Bash; it needs neither the package bash-completion nor the program.
enum BashCompletion {
    /// The script.
    static var script: String {
        """
        # Completes bedside in Bash. Printed by bedside completions bash.
        _bedside() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
            local command=dashboard option= words= files= options= required=
            # The equals sign of --color=never is a word of its own.
            if [[ $word == = ]]; then
                option=$before word=
            elif [[ $before == = ]]; then
                option=${COMP_WORDS[COMP_CWORD-2]}
            fi
            if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != -* ]]; then command=${COMP_WORDS[1]}; fi
            case $command in
        \(Subcommand.allCases.map(options).joined())    esac
            # The value follows an option, too, if it must have one.
            if [[ -z $option && " $required " == *" $before "* ]]; then option=$before; fi
            if [[ -n $option ]]; then
                case $command:$option in
        \(values)        esac
            elif [[ $word == -* ]]; then
                words=$options
            elif ((COMP_CWORD == 1)); then
                words='\(Subcommand.named.map(\.rawValue).joined(separator: " "))'
            elif ((COMP_CWORD == 2)); then
                case $command in
        \(operands)        esac
            elif [[ $command == replay || $command == config ]]; then
                files=yes
            fi
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
            if [[ -n $files ]]; then
                compopt -o filenames
                mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
            fi
            if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
        }
        complete -F _bedside bedside

        """
    }

    /// The options of a subcommand, and which of them must have a value.
    private static func options(of subcommand: Subcommand) -> String {
        let all = subcommand.options.flatMap { option in
            ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
        }
        let required = subcommand.options.filter(\.needsValue).flatMap { option in
            option.names.map { "--\($0)" } + (option.letter.map { ["-\($0)"] } ?? [])
        }
        return """
                \(subcommand.rawValue))
                    options='\(all.joined(separator: " "))'
                    required='\(required.joined(separator: " "))' ;;

            """
    }

    /// What is offered for each value of an option.
    private static var values: String {
        var patterns: [(words: CompletionWords, pattern: [String])] = []
        for subcommand in Subcommand.allCases {
            for option in subcommand.options where option.value != .none && option.completion != CompletionWords() {
                let names = ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
                let added = names.map { "\(subcommand.rawValue):\($0)" }
                if let index = patterns.firstIndex(where: { $0.words == option.completion }) {
                    patterns[index].pattern += added
                } else {
                    patterns.append((option.completion, added))
                }
            }
        }
        return patterns.map { branch($0.pattern.joined(separator: "|"), $0.words) }.joined()
    }

    /// What is offered for each operand.
    private static var operands: String {
        Subcommand.named.filter { $0.completion != CompletionWords() }.map { branch($0.rawValue, $0.completion) }
            .joined()
    }

    private static func branch(_ pattern: String, _ offered: CompletionWords) -> String {
        let words = "words='\(offered.words.joined(separator: " "))'"
        return "        \(pattern)) \(words)\(offered.takesFiles ? " files=yes" : "") ;;\n"
    }
}

extension Option {
    /// Whether it cannot stand without a value.
    var needsValue: Bool {
        if case .required = value { true } else { false }
    }
}
