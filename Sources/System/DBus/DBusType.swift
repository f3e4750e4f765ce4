/// A single complete D-Bus type (D-Bus specification, "Type system").
public indirect enum DBusType: Hashable, Sendable {
    /// The types of fixed length: `y`, `b`, `n`, `q`, `i`, `u`, `x`, `t`, `d`.
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
    /// The types like a string, `s`, `o` and `g`, and the descriptor, `h`.
    case string, objectPath, signature, unixFileDescriptor
    case array(DBusType)
    /// A structure of at least one field, `( )`.
    case structure([DBusType])
    /// A dictionary, `a{ }`; the type of its keys is basic.
    case dictionary(key: DBusType, value: DBusType)
    /// A value that carries its type with it, `v`.
    case variant

    /// An array of bytes, `ay`.
    public static let bytes = DBusType.array(.byte)

    /// A dictionary from names to variants, `a{sv}`, as used for properties.
    public static let properties = DBusType.dictionary(key: .string, value: .variant)

    /// Whether the type is one of the fixed or string-like types, which may be keys of a dictionary.
    public var isBasic: Bool {
        switch self {
        case .array, .structure, .dictionary, .variant: false
        default: true
        }
    }

    /// The type's signature, such as `a{sv}`.
    public var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .unixFileDescriptor: "h"
        case .array(let element): "a" + element.signature
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .dictionary(let key, let value): "a{" + key.signature + value.signature + "}"
        case .variant: "v"
        }
    }
}
