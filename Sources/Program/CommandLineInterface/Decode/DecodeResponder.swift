import JSON
import VitalDecoders

/// Answers requests in the chosen form.
struct DecodeResponder {
    /// The form of an answer.
    enum Form {
        /// One line of JSON.
        case json
        /// An explanation of the octets field by field.
        case explanation(colors: Bool)
    }

    var context: DecodingContext
    var form: Form

    /// Appends the answer to a request.
    ///
    /// - Returns: The exit status when this is the only answer.
    func answer(_ request: DecodeRequest, to output: inout JSONWriter) -> ExitStatus {
        switch form {
        case .json:
            return DecodeAnswer.write(request, context: context, to: &output)
        case .explanation(let colors):
            let (text, status) = DecodeExplanation.text(of: request, context: context, colors: colors)
            output.verbatim(text)
            return status
        }
    }

    /// Appends the answer to a line, which may be invalid.
    func answer(_ line: LineSplitter.Line, to output: inout JSONWriter) {
        do throws(DecodeRequest.RequestError) {
            guard case .text(let text) = line else {
                throw DecodeRequest.RequestError(reason: "the line is longer than \(LineSplitter.limit) bytes")
            }
            _ = answer(try DecodeRequest(line: text), to: &output)
        } catch {
            switch form {
            case .json: DecodeAnswer.write(error, to: &output)
            case .explanation: output.verbatim(error.reason + "\n")
            }
        }
        if case .explanation = form {
            output.newline()
        }
    }
}
