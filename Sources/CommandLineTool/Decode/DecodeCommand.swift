import Glibc
import VitalDecoders

/// `bedside decode`: decodes values of characteristics to JSON, one or many.
public enum DecodeCommand {
    /// How the command is called.
    public static let usage = "bedside decode [--explain] [--e2e-crc yes|no] UUID HEX | - - | --list"

    /// Runs the command on the process's standard streams.
    ///
    /// - Parameter arguments: What follows the word `decode`.
    /// - Returns: The exit status, one of ``DecodeStatus``.
    public static func run(arguments: [String]) -> Int32 {
        // A reader that goes away is an ordinary end, seen as an error of the next write.
        signal(SIGPIPE, SIG_IGN)
        do throws(DecodeArguments.Problem) {
            return perform(try DecodeArguments(arguments)).rawValue
        } catch {
            StandardStreams.complain("bedside decode: \(error.reason)\nusage: \(usage)")
            return DecodeStatus.usage.rawValue
        }
    }

    private static func perform(_ arguments: DecodeArguments) -> DecodeStatus {
        do throws(StreamError) {
            switch arguments.task {
            case .one(let request):
                var json = JSONWriter()
                let status = DecodeAnswer.write(request, context: arguments.context, to: &json)
                try StandardStreams.write(json.octets)
                return status
            case .lines:
                try answerLines(context: arguments.context)
                return .success
            case .list:
                return .success
            }
        } catch {
            guard !error.isBrokenPipe else { return .success }
            StandardStreams.complain("bedside decode: \(error.message)")
            return .inputOutput
        }
    }

    /// Answers every chunk of the input at once, so that one line typed is one line answered and many cost one write.
    private static func answerLines(context: DecodingContext) throws(StreamError) {
        var batch = DecodeBatch(context: context)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let chunk = try StandardStreams.read(into: &buffer)
            guard !chunk.isEmpty else { break }
            try StandardStreams.write(batch.answers(to: chunk))
        }
        try StandardStreams.write(batch.lastAnswer())
    }
}
