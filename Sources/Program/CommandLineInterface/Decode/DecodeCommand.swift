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
