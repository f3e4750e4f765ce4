/// The error for malformed octets of a characteristic, with its place.
///
/// Malformed is not "no measurement": a special value such as NaN is a well-formed answer of the sensor.
public struct MalformedValueError: Error, Hashable, Sendable {
    /// The offset, from 0, of the field that could not be read.
    public var offset: Int

    /// What is wrong, as a sentence for users, such as `flags announce a 16-bit heart rate, 1 of 2 octets present`.
    public var reason: String

    /// Creates a description of malformed octets.
    public init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

extension MalformedValueError: CustomStringConvertible {
    /// The reason and the offset, such as `… 1 of 2 octets present (at offset 1)`.
    public var description: String {
        "\(reason) (at offset \(offset))"
    }
}

extension MalformedValueError {
    /// The error for a field that does not fit into the rest of the value.
    ///
    /// Not inlined, so that the code of a decoder stays small for valid values.
    @usableFromInline @inline(never)
    static func truncated(
        _ name: StaticString, presence: FieldPresence, offset: Int, needed: Int, present: Int
    ) -> MalformedValueError {
        let name = "\(name)"
        let subject = presence == .announced ? "flags announce" : "the value needs"
        return MalformedValueError(
            offset: offset,
            reason:
                "\(subject) \(withArticle(name)), \(present) of \(needed) \(needed == 1 ? "octet" : "octets") present")
    }

    /// The error for octets that follow a value of fixed length.
    @usableFromInline @inline(never)
    static func leftOver(offset: Int, present: Int) -> MalformedValueError {
        MalformedValueError(
            offset: offset,
            reason: "the value has a fixed length of \(offset) \(offset == 1 ? "octet" : "octets"), \(present) present")
    }

    /// Adds the article before a field's name; `flags` and other plurals have none.
    private static func withArticle(_ name: String) -> String {
        if name.hasSuffix("s") && !name.hasSuffix("ss") && !name.hasSuffix("us") {
            return name
        }
        let soundsLikeVowel =
            switch name.unicodeScalars.first {
            case "a", "e", "i", "o", "8", "E": true
            default: name.hasPrefix("RR") || name.hasPrefix("SpO2")
            }
        return (soundsLikeVowel ? "an " : "a ") + name
    }
}

/// Why a field is expected.
public enum FieldPresence: Hashable, Sendable {
    /// Every value of the characteristic has the field.
    case required
    /// A bit of the flags announces the field.
    case announced
}
