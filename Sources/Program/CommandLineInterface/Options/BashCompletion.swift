/// The completion for Bash; it does not need the package bash-completion, and asks the program only for the remembered
/// sensors.
enum BashCompletion {
    static var script: String {
        """
        # Completes bedside in Bash. Printed by bedside completions bash.
        _bedside() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
            local command=dashboard option= setting= words= files= sensors= options= required=
            # The equals sign of --color=never is a word of its own.
            if [[ $word == = ]]; then
                option=$before word=
            elif [[ $before == = ]]; then
                option=${COMP_WORDS[COMP_CWORD-2]}
            fi
            # So is the one of --set night.enabled=true, and of --set=night.enabled=true.
            if [[ -n $option && $option != -* ]]; then
                local -i at=COMP_CWORD-2
                [[ ${COMP_WORDS[COMP_CWORD]} == = ]] || at+=-1
                [[ ${COMP_WORDS[at < 0 ? 0 : at]} == = ]] && at+=-1
                if [[ ${COMP_WORDS[at < 0 ? 0 : at]} == --set ]]; then setting=$option; fi
            fi
            if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != -* ]]; then command=${COMP_WORDS[1]}; fi
            case $command in
        \(Subcommand.allCases.map(options).joined())    esac
            # The value follows an option, too, if it must have one.
            if [[ -z $option && " $required " == *" $before "* ]]; then option=$before; fi
            if [[ -n $setting ]]; then
                case $setting in
        \(settings)        esac
            elif [[ -n $option ]]; then
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
            if [[ -n $sensors ]]; then _bedside_sensors "$1" "$word"; fi
            if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
        }
        # The remembered sensors. Their names are not ours: they are quoted, and nothing in them is expanded.
        _bedside_sensors() {
            local program=$1 word=$2 name quoted
            local -a asked=()
            local -i at
            for ((at = 1; at < COMP_CWORD; at++)); do
                case ${COMP_WORDS[at]} in
                --patient)
                    [[ ${COMP_WORDS[at + 1]} == = ]] && at+=1
                    asked+=(--patient "${COMP_WORDS[at + 1]}") ;;
                --simulate) asked+=(--simulate) ;;
                esac
            done
            while IFS=$'\\t' read -r name _; do
                case $word in
                \\"*)
                    if [[ $name != *[\\"\\$\\`\\\\!]* && $name == "${word:1}"* ]]; then COMPREPLY+=("$name"); fi ;;
                \\'*)
                    if [[ $name != *\\'* && $name == "${word:1}"* ]]; then COMPREPLY+=("$name"); fi ;;
                *)
                    # A colon would end the word.
                    printf -v quoted %q "$name"
                    quoted=${quoted//:/\\\\:}
                    if [[ $quoted == "$word"* ]]; then COMPREPLY+=("$quoted"); fi ;;
                esac
            done < <("$program" completions sensors "${asked[@]}" 2>/dev/null)
        }
        complete -F _bedside bedside

        """
    }

    /// The options of a subcommand, and those of them that require a value.
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

    /// The offered values of each option.
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

    /// The accepted words of each setting.
    private static var settings: String {
        SettingWords.choices.map { choice in
            "        \(choice.names.joined(separator: "|"))) words='\(choice.words.joined(separator: " "))' ;;\n"
        }
        .joined()
    }

    /// The offered words for each operand.
    private static var operands: String {
        Subcommand.named.filter { $0.completion != CompletionWords() }.map { branch($0.rawValue, $0.completion) }
            .joined()
    }

    private static func branch(_ pattern: String, _ offered: CompletionWords) -> String {
        let more = offered.source == .settings ? SettingWords.names.map { "\($0)=" } : []
        let words = "words='\((offered.words + more).joined(separator: " "))'"
        let sensors = offered.source == .sensors ? " sensors=yes" : ""
        return "        \(pattern)) \(words)\(offered.takesFiles ? " files=yes" : "")\(sensors) ;;\n"
    }
}

extension Option {
    /// Whether it requires a value.
    var needsValue: Bool {
        if case .required = value { true } else { false }
    }
}
