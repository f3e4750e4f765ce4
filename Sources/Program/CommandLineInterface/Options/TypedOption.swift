import Base
import Configuration

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
