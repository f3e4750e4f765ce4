import Base
import CSystem
import Glibc
import JSON
import Synchronization

/// A parsed command line.
public struct CommandLineArguments: Hashable, Sendable {
    public var subcommand: Subcommand
    /// The given options with their values, in order.
    public var options: [Given]
    public var operands: [String]

    /// A given option.
    public struct Given: Hashable, Sendable {
        public var option: Option
        /// Its value, if one was given.
        public var value: String?
    }

    /// The same command line with another option at its end.
    public func adding(_ option: Option, value: String) -> CommandLineArguments {
        var arguments = self
        arguments.options.append(Given(option: option, value: value))
        return arguments
    }

    /// Whether an option was given.
    public func has(_ option: Option) -> Bool {
        options.contains { $0.option == option }
    }

    /// The value of the last occurrence of an option.
    public func value(of option: Option) -> String? {
        options.last { $0.option == option }?.value
    }

    /// The values of all occurrences of an option.
    public func values(of option: Option) -> [String] {
        options.filter { $0.option == option }.compactMap(\.value)
    }

    /// Parses a command line with glibc's `getopt_long`.
    ///
    /// - Parameter arguments: The arguments after the program's name.
    /// - Throws: ``UsageError`` with one sentence for the user.
    public init(parsing arguments: [String]) throws(UsageError) {
        self = try getoptState.withLock { _ throws(UsageError) in try Self(scanning: arguments) }
        // Help has precedence over all errors.
        if has(.help) || has(.version) || has(.manual) { return }
        try checkOperands(arguments)
    }

    private init(scanning arguments: [String]) throws(UsageError) {
        if let first = arguments.first, !first.hasPrefix("-") {
            guard let named = Subcommand(rawValue: first) else {
                throw UsageError(
                    "there is no command '\(first)'" + Self.hint(first, Subcommand.allCases.map(\.rawValue)),
                    subcommand: nil)
            }
            subcommand = named
            (options, operands) = try Self.scan(Array(arguments.dropFirst()), for: named)
        } else {
            subcommand = .dashboard
            (options, operands) = try Self.scan(arguments, for: .dashboard)
        }
    }

    private func checkOperands(_ arguments: [String]) throws(UsageError) {
        guard operands.count > subcommand.operandCount.upperBound else { return }
        let operand = operands[subcommand.operandCount.upperBound]
        throw UsageError(
            "'\(operand)' is one argument too many" + joined(operand, arguments), subcommand: subcommand)
    }

    /// A hint for an operand that was probably meant as the value of an option whose value must follow an equals sign.
    private func joined(_ operand: String, _ arguments: [String]) -> String {
        for given in options {
            guard case .optional = given.option.value, given.value == nil else { continue }
            let word = "--\(given.option.name)"
            guard zip(arguments, arguments.dropFirst()).contains(where: { $0 == word && $1 == operand }) else {
                continue
            }
            return "; did you mean '\(word)=\(operand)'?"
        }
        return ""
    }

    private static func scan(
        _ arguments: [String], for subcommand: Subcommand
    ) throws(UsageError) -> ([Given], [String]) {
        let table = GetoptTable(subcommand.options)
        // getopt_long reorders the vector and keeps pointers into it.
        var vector: [UnsafeMutablePointer<CChar>?] = (["bedside"] + arguments).map { strdup($0) }
        vector.append(nil)
        defer { for pointer in vector { free(pointer) } }
        let count = Int32(arguments.count + 1)
        var given: [Given] = []
        csystem_getopt_restart()
        while true {
            var value: UnsafePointer<CChar>?
            let code = csystem_getopt_long(count, &vector, table.letters, table.entries, &value)
            if code == -1 { break }
            guard let option = table.entry(for: code) else {
                let index = Int(csystem_getopt_index()) - 1
                let text = vector.indices.contains(index) ? vector[index].map { String(cString: $0) } ?? "" : ""
                throw problem(code, text, letter: csystem_getopt_unknown(), subcommand)
            }
            given.append(Given(option: option, value: value.map { String(cString: $0) }))
        }
        let rest = vector[Int(csystem_getopt_index())..<Int(count)].compactMap { $0.map { String(cString: $0) } }
        return (given, rest)
    }

    /// The sentence for an error of getopt_long; a colon means a missing value.
    private static func problem(
        _ code: Int32, _ text: String, letter: Int32, _ subcommand: Subcommand
    ) -> UsageError {
        let isLong = text.hasPrefix("--")
        let name = isLong ? String(text.dropFirst(2).prefix { $0 != "=" }) : ""
        let shown =
            isLong || letter == 0
            ? "--\(name)" : "-" + String(UnicodeScalar(UInt8(truncatingIfNeeded: letter)))
        let known = subcommand.options.first {
            $0.names.contains(name) || (!isLong && $0.letter?.asciiValue == UInt8(truncatingIfNeeded: letter))
        }
        if code == Int32(UInt8(ascii: ":")), let known {
            return UsageError("the option --\(known.name) needs a value: \(known.usage)", subcommand: subcommand)
        }
        if let known, isLong, text.contains("=") {
            return UsageError("the option --\(known.name) takes no value", subcommand: subcommand)
        }
        let candidates = subcommand.options.flatMap(\.names)
        if isLong, candidates.count(where: { $0.hasPrefix(name) }) > 1 {
            let names = candidates.filter { $0.hasPrefix(name) }.map { "--\($0)" }.joined(separator: ", ")
            return UsageError("the option \(shown) could mean \(names)", subcommand: subcommand)
        }
        return UsageError(
            "there is no option '\(shown)'" + (isLong ? hint(name, candidates, prefix: "--") : ""),
            subcommand: subcommand)
    }

    private static func hint(_ word: String, _ candidates: [String], prefix: String = "") -> String {
        UsageError.hint(word, candidates, prefix: prefix)
    }
}

/// Quirk getopt-globals: `getopt_long` keeps its state in global variables, so only one thread may use it at a time.
private let getoptState = Mutex<Void>(())

/// Why a command line is invalid.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error, and where to read more.
    public let description: String

    /// Creates an error from a sentence without its full stop.
    public init(_ problem: String, subcommand: Subcommand?) {
        let help = subcommand.map { $0.isDefault ? "bedside --help" : "bedside \($0.rawValue) --help" }
        description = "\(problem) (see \(help ?? "bedside --help"))"
    }

    /// A suggestion for the end of a sentence; empty if no candidate is similar.
    public static func hint(_ word: String, _ candidates: [String], prefix: String = "") -> String {
        guard let nearest = nearestWord(to: word, among: candidates) else { return "" }
        return "; did you mean '\(prefix)\(nearest)'?"
    }
}

/// The options of a subcommand in the form of `getopt_long`.
private final class GetoptTable {
    let letters: String
    let entries: UnsafeMutablePointer<option>
    private let options: [Option]
    /// Each name with its option; the index of a name is its code.
    private let names: [(name: String, option: Option)]
    private static let firstCode: Int32 = 256

    init(_ options: [Option]) {
        self.options = options
        // The leading colon makes getopt_long return ':' for a missing value.
        letters =
            ":"
            + options.compactMap { option in
                option.letter.map { letter in
                    switch option.value {
                    case .none: String(letter)
                    case .required: "\(letter):"
                    case .optional: "\(letter)::"
                    }
                }
            }.joined()
        names = options.flatMap { option in option.names.map { ($0, option) } }
        entries = .allocate(capacity: names.count + 1)
        for (index, entry) in names.enumerated() {
            let hasArgument: Int32 =
                switch entry.option.value {
                case .none: 0
                case .required: 1
                case .optional: 2
                }
            (entries + index).initialize(
                to: option(
                    name: UnsafePointer(strdup(entry.name)), has_arg: hasArgument, flag: nil,
                    val: Self.firstCode + Int32(index)))
        }
        (entries + names.count).initialize(to: option(name: nil, has_arg: 0, flag: nil, val: 0))
    }

    deinit {
        for index in names.indices { free(UnsafeMutableRawPointer(mutating: entries[index].name)) }
        entries.deallocate()
    }

    func entry(for code: Int32) -> Option? {
        if code >= Self.firstCode { return names[Int(code - Self.firstCode)].option }
        return options.first { $0.letter?.asciiValue.map(Int32.init) == code }
    }
}
