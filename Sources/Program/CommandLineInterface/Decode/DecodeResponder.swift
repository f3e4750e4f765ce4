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

/// Encodes the answer to a request of `bedside decode` as one line of JSON.
enum DecodeAnswer {
    /// Answers a request with one line.
    ///
    /// - Returns: The exit status when this is the only answer.
    static func write(
        _ request: DecodeRequest, context: DecodingContext, to json: inout JSONWriter
    ) -> ExitStatus {
        json.beginObject()
        defer {
            json.endObject()
            json.newline()
        }
        json.key("characteristic")
        json.string(request.uuid.description)
        guard let characteristic = CharacteristicType.with(uuid: request.uuid) else {
            json.key("error")
            json.string("unsupported")
            json.key("reason")
            json.string("there is no decoder for \(request.uuid); bedside decode --list names those that there are")
            return .unavailable
        }
        do throws(MalformedValueError) {
            let fields = try characteristic.fields(of: request.octets.span, context: context)
            json.key("name")
            json.string(characteristic.name)
            json.key("value")
            json.fields(fields)
            return .success
        } catch {
            json.key("error")
            json.string("malformed")
            json.key("reason")
            json.string(error.reason)
            json.key("offset")
            json.integer(error.offset)
            return .malformedData
        }
    }

    /// Answers an invalid request with one line.
    static func write(_ problem: DecodeRequest.RequestError, to json: inout JSONWriter) {
        json.beginObject()
        json.key("error")
        json.string("usage")
        json.key("reason")
        json.string(problem.reason)
        json.endObject()
        json.newline()
    }
}

/// A request of `bedside decode`: a characteristic and one of its values.
struct DecodeRequest: Equatable {
    var uuid: BluetoothUUID
    var octets: [UInt8]

    /// Why a request is invalid, as a sentence for the user.
    struct RequestError: Error, Equatable {
        var reason: String
    }

    init(uuid: BluetoothUUID, octets: [UInt8]) {
        self.uuid = uuid
        self.octets = octets
    }

    /// Reads a UUID and octets from two texts.
    init(uuid uuidText: some Collection<UInt8>, hexadecimal: some Collection<UInt8>) throws(RequestError) {
        guard let uuid = BluetoothUUID(String(decoding: uuidText, as: UTF8.self)) else {
            throw RequestError(
                reason: "the UUID must be four hexadecimal digits (such as 2A37), or all 32 with or without dashes")
        }
        self.uuid = uuid
        do throws(Hexadecimal.ParsingError) {
            octets = try Hexadecimal.octets(hexadecimal)
        } catch {
            throw RequestError(
                reason: error == .halfOctet
                    ? "the octets must be pairs of hexadecimal digits, and one digit stands alone"
                    : "the octets must be hexadecimal digits with nothing between them but spaces, colons and dashes")
        }
    }

    /// Reads a line: a UUID, white space, octets; without octets the value is empty.
    init(line: some Collection<UInt8>) throws(RequestError) {
        let isBlank = { (character: UInt8) in character == UInt8(ascii: " ") || character == UInt8(ascii: "\t") }
        let text = line.drop(while: isBlank)
        guard let end = text.firstIndex(where: isBlank) else {
            guard !text.isEmpty else { throw RequestError(reason: "the line is empty; it must be UUID HEX") }
            try self.init(uuid: text, hexadecimal: [])
            return
        }
        try self.init(uuid: text[..<end], hexadecimal: text[end...].drop(while: isBlank))
    }
}
