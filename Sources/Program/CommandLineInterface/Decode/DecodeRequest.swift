import VitalDecoders

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
