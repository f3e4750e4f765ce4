import JSON

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
