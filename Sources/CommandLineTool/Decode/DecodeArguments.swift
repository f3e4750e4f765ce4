import VitalDecoders

/// What the arguments after `decode` ask for.
struct DecodeArguments: Equatable {
    /// The task.
    var task: Task
    /// What is known about the sensor beside the octets.
    var context = DecodingContext()
    /// Whether octets are laid out for people instead of decoded to JSON.
    var explains = false

    enum Task: Equatable {
        case one(DecodeRequest)
        case lines
        case list
    }

    /// Why arguments cannot be used, as a sentence for people.
    struct Problem: Error, Equatable {
        var reason: String
    }

    /// Reads the arguments that follow the word `decode`.
    init(_ arguments: [String]) throws(Problem) {
        var words: [String] = []
        var lists = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--explain": explains = true
            case "--list": lists = true
            case "--e2e-crc": context.endToEndCRC = try Self.yesOrNo(rest.popFirst())
            case _ where argument.hasPrefix("--e2e-crc="):
                context.endToEndCRC = try Self.yesOrNo(String(argument.dropFirst("--e2e-crc=".count)))
            case _ where argument.hasPrefix("--"): throw Problem(reason: "there is no option \(argument)")
            default: words.append(argument)
            }
        }
        if lists {
            guard words.isEmpty else { throw Problem(reason: "--list takes no UUID and no octets") }
            task = .list
            return
        }
        task = try Self.task(words)
    }

    private static func task(_ words: [String]) throws(Problem) -> Task {
        guard words.count >= 2 else {
            throw Problem(reason: words.isEmpty ? "a UUID and octets are missing" : "octets are missing after the UUID")
        }
        if words == ["-", "-"] {
            return .lines
        }
        guard words[0] != "-", words.count > 2 || words[1] != "-" else {
            throw Problem(reason: "to read lines from standard input, both the UUID and the octets must be -")
        }
        do throws(DecodeRequest.Problem) {
            let hexadecimal = words[1...].joined(separator: " ")
            return .one(try DecodeRequest(uuid: words[0].utf8, hexadecimal: hexadecimal.utf8))
        } catch {
            throw Problem(reason: error.reason)
        }
    }

    private static func yesOrNo(_ word: String?) throws(Problem) -> Bool {
        switch word {
        case "yes": true
        case "no": false
        default: throw Problem(reason: "--e2e-crc must be yes or no")
        }
    }
}
