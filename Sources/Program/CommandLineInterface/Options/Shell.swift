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
