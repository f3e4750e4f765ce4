import Configuration

/// What may stand as the value of an option or as an operand, for completion by a shell.
public struct CompletionWords: Hashable, Sendable {
    /// The words that are offered.
    public var words: [String] = []
    /// Whether the names of files are offered, too.
    public var takesFiles = false
    /// Whether more follows a word immediately, as after `fever.threshold=`.
    public var continues = false
}

extension Option {
    /// What may be its value; nothing is offered where only the user knows.
    public var completion: CompletionWords {
        switch self {
        case .simulate: CompletionWords(words: ["ward-evening", "steady", "devices"], takesFiles: true)
        case .connect: CompletionWords(words: ["all"])
        case .answers, .configuration, .folder, .output, .soundOutput, .store, .systemdUnit: CompletionWords(takesFiles: true)
        case .set:
            CompletionWords(words: SettingTable.settings.map { "\($0.section).\($0.key)=" }, continues: true)
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
    /// What may be its first operand.
    public var completion: CompletionWords {
        switch self {
        case .config: CompletionWords(words: ["create", "check", "path", "themes"])
        case .replay, .import: CompletionWords(takesFiles: true)
        case .simulate: CompletionWords(words: Option.simulate.completion.words, takesFiles: true)
        case .enter:
            CompletionWords(words: [
                "temperature", "heart_rate", "spo2", "pressure", "glucose", "weight", "neutrophils", "lab",
                "medication", "symptom", "mascc", "note",
            ])
        case .ward: CompletionWords(words: ["status"])
        case .help: CompletionWords(words: Subcommand.named.map(\.rawValue))
        case .completions: CompletionWords(words: Shell.allCases.map(\.rawValue))
        default: CompletionWords()
        }
    }

    /// Those that are called by a name.
    static var named: [Subcommand] { allCases.filter { !$0.isDefault } }
}
