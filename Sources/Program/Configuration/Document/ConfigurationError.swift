import Base
import Vitals

/// An error in a configuration file: where and what it is, and the remedy.
public struct ConfigurationError: Error, Hashable, Sendable {
    /// Where the error is.
    public var position: TextPosition
    /// The error and the remedy, without a full stop.
    public var reason: String

    public init(_ position: TextPosition, _ reason: String) {
        self.position = position
        self.reason = reason
    }

    /// The error in the form of compilers, `FILE:LINE:COLUMN: REASON`, which editors understand.
    public func sentence(file: String) -> String {
        sanitized("\(file):\(position.line):\(position.column): \(reason)", limit: 1000)
    }
}

/// All errors in a configuration file, in the order of the file; never empty.
public struct ConfigurationErrors: Error, Hashable, Sendable {
    /// The errors; at most 20 of them.
    public let list: [ConfigurationError]

    /// The greatest number of errors reported.
    static let limit = 20

    /// Keeps the first errors; `nil` when there are none.
    ///
    /// - Parameter mistakes: The errors, in any order.
    public init?(_ mistakes: [ConfigurationError]) {
        guard !mistakes.isEmpty else { return nil }
        list = Array(mistakes.sorted { $0.position < $1.position }.prefix(Self.limit))
    }

    /// All sentences, one per line.
    public func text(file: String) -> String {
        list.map { $0.sentence(file: file) + "\n" }.joined()
    }
}
