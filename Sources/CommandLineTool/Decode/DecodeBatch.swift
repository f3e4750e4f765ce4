import VitalDecoders

/// Answers requests that come in lines, each with one line, in order, whatever the lines hold.
struct DecodeBatch {
    private var splitter = LineSplitter()
    private var json = JSONWriter(capacity: 64 * 1024)
    private let context: DecodingContext

    init(context: DecodingContext) {
        self.context = context
    }

    /// Answers the lines that `chunk` completes.
    mutating func answers(to chunk: ArraySlice<UInt8>) -> [UInt8] {
        json.removeAll()
        splitter.split(chunk) { Self.answer($0, context, &json) }
        return json.octets
    }

    /// Answers the last line, if it did not end with a line feed.
    mutating func lastAnswer() -> [UInt8] {
        json.removeAll()
        splitter.finish { Self.answer($0, context, &json) }
        return json.octets
    }

    private static func answer(_ line: LineSplitter.Line, _ context: DecodingContext, _ json: inout JSONWriter) {
        do throws(DecodeRequest.Problem) {
            guard case .text(let text) = line else {
                throw DecodeRequest.Problem(reason: "the line is longer than \(LineSplitter.limit) octets")
            }
            _ = DecodeAnswer.write(try DecodeRequest(line: text), context: context, to: &json)
        } catch {
            DecodeAnswer.write(error, to: &json)
        }
    }
}
