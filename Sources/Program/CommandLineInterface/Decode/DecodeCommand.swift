import Glibc
import JSON
import VitalDecoders

/// `bedside decode`: decodes values of characteristics to JSON, one or many.
public enum DecodeCommand {
    /// Runs the command on the process's standard streams.
    public static func run(_ arguments: CommandLineArguments) -> ExitStatus {
        do throws(UsageError) {
            return perform(try DecodeArguments(arguments), colors: try StandardOutput.showsColors(arguments))
        } catch {
            complain(error.description)
            return .usage
        }
    }

    private static func perform(_ arguments: DecodeArguments, colors: Bool) -> ExitStatus {
        let responder = DecodeResponder(
            context: arguments.context, form: arguments.explains ? .explanation(colors: colors) : .json)
        do throws(StreamError) {
            switch arguments.task {
            case .one(let request):
                var output = JSONWriter()
                let status = responder.answer(request, to: &output)
                try StandardStreams.write(output.bytes)
                return status
            case .lines:
                try answerLines(responder)
                return .success
            case .list:
                try StandardStreams.write(Array(DecodeList.text().utf8))
                return .success
            }
        } catch {
            // A closed pipe is an ordinary end.
            if error.isBrokenPipe { return .success }
            complain(error.message)
            return .inputOutputError
        }
    }

    /// Answers every chunk of the input at once, so that a typed line is answered immediately and many lines cost one
    /// write.
    private static func answerLines(_ responder: DecodeResponder) throws(StreamError) {
        var batch = DecodeBatch(responder)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let chunk = try StandardStreams.read(into: &buffer)
            guard !chunk.isEmpty else { break }
            try StandardStreams.write(batch.answers(to: chunk))
        }
        try StandardStreams.write(batch.lastAnswer())
    }
}

/// Answers each line of requests with one line of JSON or one explanation, in order.
struct DecodeBatch {
    private var splitter = LineSplitter()
    private var output = JSONWriter(capacity: 64 * 1024)
    private let responder: DecodeResponder

    init(_ responder: DecodeResponder) {
        self.responder = responder
    }

    /// Returns the lines that `chunk` completes.
    mutating func answers(to chunk: ArraySlice<UInt8>) -> [UInt8] {
        output.removeAll()
        splitter.split(chunk) { responder.answer($0, to: &output) }
        return output.bytes
    }

    /// Returns the last line, if it did not end with a line feed.
    mutating func lastAnswer() -> [UInt8] {
        output.removeAll()
        splitter.finish { responder.answer($0, to: &output) }
        return output.bytes
    }
}

/// Lists the characteristics that can be decoded.
enum DecodeList {
    /// One line per characteristic: UUID, name, specification and revision.
    ///
    /// The few long UUIDs are at the end; they shift the other columns of their lines to the right.
    static func text() -> String {
        let nameWidth = CharacteristicType.all.filter { $0.uuid.assignedNumber != nil }.map(\.name.count).max() ?? 0
        return CharacteristicType.all.map { characteristic in
            let name = characteristic.name
            let padding = characteristic.uuid.assignedNumber == nil ? 0 : nameWidth - name.count
            return "\(characteristic.uuid)  \(name)\(String(repeating: " ", count: padding + 2))"
                + "\(characteristic.specification.title) \(characteristic.specification.revision)\n"
        }.joined()
    }
}

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

/// A system call on standard input or output that failed.
struct StreamError: Error {
    /// `errno`.
    var code: Int32

    /// Whether the reader of the output closed the pipe.
    var isBrokenPipe: Bool { code == EPIPE }

    /// The system's message.
    var message: String { String(cString: strerror(code)) }
}

/// Unbuffered standard input and output.
enum StandardStreams {
    /// Reads the available bytes; waits only if there are none.
    ///
    /// - Returns: At most as many bytes as `buffer` holds; none at the end of the input.
    static func read(into buffer: inout [UInt8]) throws(StreamError) -> ArraySlice<UInt8> {
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                return buffer[..<count]
            }
            guard errno == EINTR else { throw StreamError(code: errno) }
        }
    }

    /// Writes everything to standard output.
    static func write(_ bytes: [UInt8]) throws(StreamError) {
        let failure = writeAll(bytes, to: STDOUT_FILENO)
        if failure != 0 { throw StreamError(code: failure) }
    }
}
