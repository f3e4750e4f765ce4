import VitalDecoders

/// The arguments of `bedside decode`.
struct DecodeArguments: Equatable {
    var task: Task
    /// The known facts about the sensor besides the octets.
    var context = DecodingContext()
    /// Whether octets are explained field by field instead of being decoded to JSON.
    var explains = false

    enum Task: Equatable {
        case one(DecodeRequest)
        case lines
        case list
    }

    /// Reads the options and the operands.
    ///
    /// - Throws: ``UsageError`` with one sentence for the user.
    init(_ arguments: CommandLineArguments) throws(UsageError) {
        explains = arguments.has(.explain)
        if let word = arguments.value(of: .endToEndCRC) { context.endToEndCRC = try Self.yesOrNo(word) }
        if arguments.has(.list) {
            guard arguments.operands.isEmpty else { throw Self.problem("--list takes no UUID and no octets") }
            task = .list
            return
        }
        task = try Self.task(arguments.operands)
    }

    private static func task(_ words: [String]) throws(UsageError) -> Task {
        guard words.count >= 2 else {
            throw problem(words.isEmpty ? "a UUID and octets are missing" : "octets are missing after the UUID")
        }
        if words == ["-", "-"] { return .lines }
        guard words[0] != "-", words.count > 2 || words[1] != "-" else {
            throw problem("to read lines from standard input, both the UUID and the octets must be -")
        }
        do throws(DecodeRequest.RequestError) {
            let hexadecimal = words[1...].joined(separator: " ")
            return .one(try DecodeRequest(uuid: words[0].utf8, hexadecimal: hexadecimal.utf8))
        } catch {
            throw problem(error.reason)
        }
    }

    private static func yesOrNo(_ word: String) throws(UsageError) -> Bool {
        switch word {
        case "yes": true
        case "no": false
        default: throw problem("--e2e-crc must be yes or no, not '\(word)'\(UsageError.hint(word, ["yes", "no"]))")
        }
    }

    private static func problem(_ sentence: String) -> UsageError {
        UsageError(sentence, subcommand: .decode)
    }
}
