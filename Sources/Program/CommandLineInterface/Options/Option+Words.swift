import Configuration
import Formats

/// The possible values of an option or operand, for completion by a shell.
public struct CompletionWords: Hashable, Sendable {
    /// The offered words.
    public var words: [String] = []
    /// Whether the names of files are offered, too.
    public var takesFiles = false
    /// Where more words come from.
    public var source: Source?

    /// A source of words that are not fixed.
    public enum Source: Hashable, Sendable {
        /// The patient's remembered sensors, asked from the program.
        case sensors
        /// The settings of the configuration, and then the accepted words of the typed setting.
        case settings
    }
}

/// The settings, for completion by a shell.
enum SettingWords {
    static var names: [String] { SettingTable.settings.map(\.name) }

    /// The accepted words of settings, with the names of all settings that accept the same words.
    static var choices: [(words: [String], names: [String])] {
        var groups: [(words: [String], names: [String])] = []
        for setting in SettingTable.settings where !setting.choices.isEmpty {
            if let index = groups.firstIndex(where: { $0.words == setting.choices }) {
                groups[index].names.append(setting.name)
            } else {
                groups.append((setting.choices, [setting.name]))
            }
        }
        return groups
    }
}

extension Option {
    /// The offered values; none where only the user knows the value.
    public var completion: CompletionWords {
        switch self {
        case .simulate: CompletionWords(words: ["ward-evening", "steady", "devices"], takesFiles: true)
        case .connect: CompletionWords(words: ["all"], source: .sensors)
        case .answers, .configuration, .folder, .output, .soundOutput, .store, .systemdUnit:
            CompletionWords(takesFiles: true)
        case .set: CompletionWords(source: .settings)
        case .glyphs: CompletionWords(words: ["braille", "blocks", "ascii"])
        case .color: CompletionWords(words: ["auto", "always", "never"])
        case .theme: CompletionWords(words: ["auto", "dark", "light", "high-contrast", "color-blind"])
        case .colors: CompletionWords(words: ["auto", "truecolor", "256", "16", "8"])
        case .trendWindow: CompletionWords(words: ["2m", "10m", "1h", "8h", "24h"])
        case .endToEndCRC: CompletionWords(words: ["yes", "no"])
        case .alarmClass: CompletionWords(words: ["physiological", "technical"])
        case .priority: CompletionWords(words: ["high", "medium", "low"])
        case .summaryPart: CompletionWords(words: ["hour", "wearing"])
        case .importFormat: CompletionWords(words: ["csv", "fhir"])
        case .record: CompletionWords(words: ["list", "all"])
        case .exportFormat: CompletionWords(words: ["csv", "csv-wide", "jsonl", "fhir", "influx", "rr"])
        case .statusFormat: CompletionWords(words: ["plain", "json", "openmetrics", "tmux", "waybar", "polybar"])
        case .strengthFloor: CompletionWords(words: ["off"])
        case .manual: CompletionWords(words: ["bedside", "bedside.toml", "bedside-scenario"])
        case .speed: CompletionWords(words: ["max"])
        default: CompletionWords()
        }
    }
}

extension Subcommand {
    /// The offered words for the first operand.
    public var completion: CompletionWords {
        switch self {
        case .config: CompletionWords(words: ["create", "check", "path", "themes"])
        case .replay, .import: CompletionWords(takesFiles: true)
        case .simulate: CompletionWords(words: Option.simulate.completion.words, takesFiles: true)
        case .enter:
            CompletionWords(words: EntryNames.usual)
        case .ward: CompletionWords(words: ["status"])
        case .help: CompletionWords(words: Subcommand.named.map(\.rawValue))
        case .completions: CompletionWords(words: Shell.allCases.map(\.rawValue) + ["sensors"])
        default: CompletionWords()
        }
    }

    /// The subcommands with a name.
    static var named: [Subcommand] { allCases.filter { !$0.isDefault } }
}
