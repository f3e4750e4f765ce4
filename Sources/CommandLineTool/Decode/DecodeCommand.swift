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
        let responder = DecodeResponder(
            context: arguments.context,
            form: arguments.explains ? .explanation(colors: StandardStreams.outputShowsColors) : .json)
        do throws(StreamError) {
            switch arguments.task {
            case .one(let request):
                var output = JSONWriter()
                let status = responder.answer(request, to: &output)
                try StandardStreams.write(output.octets)
                return status
            case .lines:
                try answerLines(responder)
                return .success
            case .list:
                try StandardStreams.write(Array(DecodeList.text().utf8))
                return .success
            }
        } catch {
            guard !error.isBrokenPipe else { return .success }
            StandardStreams.complain("bedside decode: \(error.message)")
            return .inputOutput
        }
    }

    /// Answers every chunk of the input at once, so that one line typed is one line answered and many cost one write.
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
