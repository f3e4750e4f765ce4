import Glibc

/// A value of any D-Bus type.
public indirect enum DBusValue: Hashable, Sendable {
    /// A byte, `y`.
    case byte(UInt8)
    /// True or false, `b`.
    case boolean(Bool)
    /// 16 bits with a sign, `n`.
    case int16(Int16)
    /// 16 bits without a sign, `q`.
    case uint16(UInt16)
    /// 32 bits with a sign, `i`.
    case int32(Int32)
    /// 32 bits without a sign, `u`.
    case uint32(UInt32)
    /// 64 bits with a sign, `x`.
    case int64(Int64)
    /// 64 bits without a sign, `t`.
    case uint64(UInt64)
    /// A number in double precision, `d`.
    case double(Double)
    /// A text without a NUL, `s`.
    case string(String)
    /// The path of an object, `o`.
    case objectPath(ObjectPath)
    case signature(DBusSignature)
    /// An open descriptor, sent along with the message, `h`.
    case unixFileDescriptor(DBusFileDescriptor)
    /// An array of bytes; never expressed as `.array`.
    case bytes([UInt8])
    case array([DBusValue], of: DBusType)
    /// The fields of a structure, at least one.
    case structure([DBusValue])
    /// Entries in the order of the wire; all keys and all values have the types given.
    case dictionary([DBusEntry], key: DBusType, value: DBusType)
    /// A value that carries its type with it, `v`.
    case variant(DBusValue)

    /// The value's type.
    public var type: DBusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .unixFileDescriptor: .unixFileDescriptor
        case .bytes: .bytes
        case .array(_, let element): .array(element)
        case .structure(let fields): .structure(fields.map(\.type))
        case .dictionary(_, let key, let value): .dictionary(key: key, value: value)
        case .variant: .variant
        }
    }
}

/// One entry of a D-Bus dictionary.
public struct DBusEntry: Hashable, Sendable {
    /// The key, of a basic type.
    public var key: DBusValue
    public var value: DBusValue

    public init(_ key: DBusValue, _ value: DBusValue) {
        self.key = key
        self.value = value
    }
}

extension DBusValue {
    /// An array of strings, `as`.
    public static func strings(_ strings: [String]) -> DBusValue {
        .array(strings.map { .string($0) }, of: .string)
    }

    /// A dictionary from names to variants, `a{sv}`.
    public static func properties(_ properties: [(String, DBusValue)]) -> DBusValue {
        .dictionary(
            properties.map { DBusEntry(.string($0.0), .variant($0.1)) }, key: .string, value: .variant)
    }

    /// The text of a string, an object path or a signature; otherwise `nil`.
    public var text: String? {
        switch self {
        case .string(let text): text
        case .objectPath(let path): path.description
        case .signature(let signature): signature.description
        default: nil
        }
    }

    /// The truth value of a boolean; otherwise `nil`.
    public var isTrue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The value of any integer type that fits; otherwise `nil`.
    public var integer: Int? {
        switch self {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The bytes of an `ay`; otherwise `nil`.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The elements of an array; otherwise `nil`.
    public var elements: [DBusValue]? {
        switch self {
        case .array(let elements, _): elements
        case .bytes(let bytes): bytes.map { .byte($0) }
        default: nil
        }
    }

    /// The entries of a dictionary; otherwise `nil`.
    public var entries: [DBusEntry]? {
        if case .dictionary(let entries, _, _) = self { entries } else { nil }
    }

    /// The content of a variant; any other value itself.
    public var unwrapped: DBusValue {
        if case .variant(let value) = self { value.unwrapped } else { self }
    }

    /// The named values of an `a{sv}`, out of their variants; `nil` for any other type.
    ///
    /// Of two entries with one name the later one counts.
    public var namedValues: [String: DBusValue]? {
        guard let entries else { return nil }
        var result: [String: DBusValue] = [:]
        result.reserveCapacity(entries.count)
        for entry in entries {
            guard case .string(let name) = entry.key else { return nil }
            result[name] = entry.value.unwrapped
        }
        return result
    }
}

/// A file descriptor that was received or will be sent; it is closed with its last reference.
public final class DBusFileDescriptor: Sendable, Hashable {
    /// The descriptor's number, valid as long as this object lives.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Whether both are the same object.
    public static func == (lhs: DBusFileDescriptor, rhs: DBusFileDescriptor) -> Bool { lhs === rhs }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

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
