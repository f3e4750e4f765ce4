import Base

extension ConfigurationDocument {
    /// The greatest length of a configuration file, in bytes.
    public static let sizeLimit = 256 * 1024

    /// Reads the bytes of a file.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: Everything that is wrong in it; bytes that are not UTF-8 are refused with their offset.
    public init(bytes: [UInt8]) throws(ConfigurationErrors) {
        if bytes.count > Self.sizeLimit {
            throw ConfigurationErrors(
                TextPosition(line: 1, column: 1),
                "the file is longer than \(Self.sizeLimit / 1024) KiB; it cannot be a configuration of Bedside")
        }
        var scalars = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var position = TextPosition(line: 1, column: 1)
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .emptyInput:
                self = try Self(String(scalars))
                return
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                scalars.append(scalar)
                offset += encoded.count
                if scalar == "\n" {
                    position = TextPosition(line: position.line + 1, column: 1)
                } else {
                    position.column += 1
                }
            case .error:
                let byte = String(bytes[offset], radix: 16, uppercase: true)
                throw ConfigurationErrors(
                    position, "the byte \(byte) at offset \(offset) is not UTF-8; save the file as UTF-8")
            }
        }
    }
}

extension ConfigurationErrors {
    init(_ position: TextPosition, _ reason: String) {
        list = [ConfigurationError(position, reason)]
    }
}
