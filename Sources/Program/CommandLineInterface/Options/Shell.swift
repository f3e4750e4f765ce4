import Base
import Vitals

/// The shells that `bedside completions` supports; the raw value is the operand.
public enum Shell: String, CaseIterable, Sendable {
    /// GNU Bash 4 or newer.
    case bash
    /// The Z shell.
    case zsh
    /// fish 3 or newer.
    case fish

    /// The completion of `bedside` for this shell, from the tables of subcommands and options.
    public var completionScript: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }

    /// A text as one word of a shell.
    static func quoted(_ text: String) -> String {
        "'" + text.exchanging("'", for: "'\\''") + "'"
    }

    /// The first sentence of an explanation, without its full stop, for shells that show a short description.
    static func summary(_ explanation: String) -> String {
        let sentence = explanation.firstPlace(of: ". ").map { explanation[..<$0.lowerBound] } ?? explanation[...]
        return String(sentence.last == "." ? sentence.dropLast() : sentence)
    }
}

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
            # So is the one of --set schedule.night.enabled=true, and of --set=schedule.night.enabled=true.
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
