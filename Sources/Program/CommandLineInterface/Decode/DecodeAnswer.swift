import JSON
import VitalDecoders

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
