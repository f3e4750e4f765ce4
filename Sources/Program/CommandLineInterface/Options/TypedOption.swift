import Base
import Configuration
import Formats
import Vitals

/// An option with its values: how one is read, and the sentence for one that cannot be.
public struct TypedOption<Value>: Sendable {
    /// The option.
    public let option: Option
    let read: @Sendable (String) -> Value?
    let problem: @Sendable (String) -> String

    /// Describes the values of an option.
    ///
    /// - Parameters:
    ///   - read: Reads a value; `nil` where it is refused.
    ///   - problem: What is wrong with a refused one, as a sentence without its full stop.
    public init(
        _ option: Option, read: @escaping @Sendable (String) -> Value?,
        problem: @escaping @Sendable (String) -> String
    ) {
        (self.option, self.read, self.problem) = (option, read, problem)
    }
}

extension TypedOption where Value: RawRepresentable<String> & Sendable {
    /// An option that takes one of some words.
    public init(_ option: Option, oneOf values: [Value]) {
        let words = values.map(\.rawValue)
        let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        self.init(option) { text in
            values.first { $0.rawValue == text }
        } problem: { text in
            "--\(option.name) takes \(list), not '\(sanitized(text))'" + UsageError.hint(text, words)
        }
    }

    /// An option that takes the name of a format, in any case.
    public init(_ option: Option, format values: [Value]) {
        let words = values.map(\.rawValue)
        self.init(option) { text in
            Value(rawValue: text.lowercased())
        } problem: { text in
            "'\(sanitized(text))' is not a format; there are \(words.joined(separator: ", "))"
                + UsageError.hint(text, words)
        }
    }
}

extension CommandLineArguments {
    /// The value of the last occurrence of an option; `nil` where it was not given.
    ///
    /// - Throws: ``UsageError`` where it is refused.
    public func value<Value>(_ option: TypedOption<Value>) throws(UsageError) -> Value? {
        guard let text = value(of: option.option) else { return nil }
        return try read(text, of: option)
    }

    /// The values of all occurrences of an option.
    ///
    /// - Throws: ``UsageError`` where one is refused.
    public func values<Value>(_ option: TypedOption<Value>) throws(UsageError) -> [Value] {
        var values: [Value] = []
        for text in self.values(of: option.option) { values.append(try read(text, of: option)) }
        return values
    }

    private func read<Value>(_ text: String, of option: TypedOption<Value>) throws(UsageError) -> Value {
        guard let value = option.read(text) else { throw UsageError(option.problem(text), subcommand: subcommand) }
        return value
    }
}

extension TypedOption where Value == Settings.Color {
    /// `--color`.
    static var color: TypedOption { TypedOption(.color, oneOf: [.auto, .always, .never]) }
}

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
        case .simulate: CompletionWords(words: ["ward-evening", "steady", "devices", "ecg", "pleth"], takesFiles: true)
        case .connect: CompletionWords(words: ["all"], source: .sensors)
        case .answers, .configuration, .folder, .output, .soundOutput, .store, .systemdUnit, .traceOutput:
            CompletionWords(takesFiles: true)
        case .set: CompletionWords(source: .settings)
        case .glyphs: CompletionWords(words: ["braille", "blocks", "ascii"])
        case .color: CompletionWords(words: ["auto", "always", "never"])
        case .theme: CompletionWords(words: ["auto", "terminal", "dark", "light", "high-contrast", "color-blind"])
        case .colors: CompletionWords(words: ["auto", "truecolor", "256", "16", "8"])
        case .trendWindow: CompletionWords(words: ["auto", "2m", "10m", "1h", "8h", "24h"])
        case .endToEndCRC: CompletionWords(words: ["yes", "no"])
        case .alarmClass: CompletionWords(words: ["physiological", "technical"])
        case .priority: CompletionWords(words: ["high", "medium", "low"])
        case .summaryPart: CompletionWords(words: ["hour", "wearing"])
        case .importFormat: CompletionWords(words: ImportFormat.allCases.map(\.rawValue))
        case .record: CompletionWords(words: ["list", "all"])
        case .exportFormat: CompletionWords(words: ExportFormat.allCases.map(\.rawValue))
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
        case .confirm: CompletionWords(words: ["all"])
        case .ward: CompletionWords(words: ["status"])
        case .trace: CompletionWords(source: .sensors)
        case .help: CompletionWords(words: Subcommand.named.map(\.rawValue))
        case .completions: CompletionWords(words: Shell.allCases.map(\.rawValue) + ["sensors"])
        default: CompletionWords()
        }
    }

    /// The subcommands with a name.
    static var named: [Subcommand] { allCases.filter { !$0.isDefault } }
}

/// The remembered sensors, for completion by a shell.
public enum SensorWords {
    /// A line for each sensor: the value for `--connect`, a tab, and a description that distinguishes the sensor.
    ///
    /// The value is the sensor's name, or its address if the name is shared, is another sensor's address, means all, or
    /// cannot be typed.
    ///
    /// - Parameter sensors: The remembered sensors.
    /// - Returns: The lines, without control characters except the tab and the line feed.
    public static func lines(_ sensors: [RememberedSensor]) -> String {
        let names = sensors.map { sensor in Set([sensor.name, sensor.label ?? sensor.name].map { $0.lowercased() }) }
        return sensors.enumerated().map { index, sensor in
            let name = sensor.label ?? sensor.name
            let isShared = names.enumerated().contains { $0.offset != index && $0.element.contains(name.lowercased()) }
            let isTypable = !name.allSatisfy(\.isWhitespace) && !name.contains("\u{FFFD}") && name.lowercased() != "all"
            let address = sanitized(sensor.address)
            return isShared || !isTypable ? "\(address)\t\(name)\n" : "\(name)\t\(address)\n"
        }
        .joined()
    }
}
