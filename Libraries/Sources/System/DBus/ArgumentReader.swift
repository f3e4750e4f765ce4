import CDBus
import Glibc

/// Reads the arguments of a message one by one, without decoding arguments that are skipped.
///
/// Valid only as long as the ``DBusMessageView`` that it came from.
public struct ArgumentReader: ~Copyable {
    var iterator: DBusMessageIter
    private var isAtEnd: Bool

    init(message: OpaquePointer) {
        iterator = cdbus_message_iter()
        isAtEnd = dbus_message_iter_init(message, &iterator) == 0
    }

    init(iterator: DBusMessageIter) {
        self.iterator = iterator
        isAtEnd = false
        isAtEnd = code == 0
    }

    /// The type code of the next argument as in a signature (`a` for arrays and dictionaries, `r` for structures,
    /// `e` for entries), or 0 at the end.
    public var code: UInt8 {
        mutating get { isAtEnd ? 0 : UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)) }
    }

    /// Skips the next argument.
    public mutating func skip() {
        if !isAtEnd { isAtEnd = dbus_message_iter_next(&iterator) == 0 }
    }

    /// Reads a string, an object path or a signature; `nil`, and nothing is read, if the next argument is of another
    /// type.
    public mutating func readText() -> String? {
        guard let pointer = textPointer() else { return nil }
        let text = String(cString: pointer)
        skip()
        return text
    }

    /// Whether the next argument is this text; it is not skipped.
    public mutating func isNext(_ text: StaticString) -> Bool {
        guard let pointer = textPointer() else { return false }
        return strcmp(pointer, text.utf8Start) == 0
    }

    /// Whether the next argument is this string, as `arg0` of a match rule means it: paths and signatures do not count.
    mutating func isNext(_ text: MatchedText) -> Bool {
        code == UInt8(ascii: "s") && text.equals(textPointer())
    }

    /// Reads an array of bytes; `nil`, and nothing is read, if the next argument is of another type.
    public mutating func readBytes() -> [UInt8]? {
        guard code == UInt8(ascii: "a"), dbus_message_iter_get_element_type(&iterator) == Int32(UInt8(ascii: "y"))
        else { return nil }
        let bytes = Self.bytes(at: &iterator)
        skip()
        return bytes
    }

    /// The bytes of the `ay` at an iterator.
    static func bytes(at iterator: inout DBusMessageIter) -> [UInt8] {
        var inner = cdbus_message_iter()
        dbus_message_iter_recurse(&iterator, &inner)
        var pointer: UnsafePointer<UInt8>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner, &pointer, &count)
        return Array(UnsafeBufferPointer(start: pointer, count: Int(count)))
    }

    /// Reads the elements of the next argument, a container, and skips it.
    ///
    /// Returns `nil`, and reads nothing, if the next argument is not a container.
    public mutating func readContainer<Result>(_ body: (inout ArgumentReader) -> Result) -> Result? {
        switch code {
        case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "e"), UInt8(ascii: "v"): break
        default: return nil
        }
        var inner = cdbus_message_iter()
        dbus_message_iter_recurse(&iterator, &inner)
        var reader = ArgumentReader(iterator: inner)
        let result = body(&reader)
        skip()
        return result
    }

    /// Reads the next argument of any type; `nil` at the end.
    public mutating func readValue() -> DBusValue? {
        guard code != 0 else { return nil }
        let value = ValueReader.value(at: &iterator)
        skip()
        return value
    }

    /// Reads the remaining arguments.
    public mutating func readValues() -> [DBusValue] {
        var values: [DBusValue] = []
        while let value = readValue() { values.append(value) }
        return values
    }

    private mutating func textPointer() -> UnsafePointer<CChar>? {
        switch code {
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"): break
        default: return nil
        }
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &pointer)
        return pointer
    }
}

/// Reads values at a message iterator; libdbus has checked the message on arrival.
enum ValueReader {
    static func value(at iterator: inout DBusMessageIter) -> DBusValue? {
        switch UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)) {
        case UInt8(ascii: "y"): .byte(basic(&iterator, UInt8(0)))
        case UInt8(ascii: "b"): .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
        case UInt8(ascii: "n"): .int16(basic(&iterator, Int16(0)))
        case UInt8(ascii: "q"): .uint16(basic(&iterator, UInt16(0)))
        case UInt8(ascii: "i"): .int32(basic(&iterator, Int32(0)))
        case UInt8(ascii: "u"): .uint32(basic(&iterator, UInt32(0)))
        case UInt8(ascii: "x"): .int64(basic(&iterator, Int64(0)))
        case UInt8(ascii: "t"): .uint64(basic(&iterator, UInt64(0)))
        case UInt8(ascii: "d"): .double(basic(&iterator, Double(0)))
        case UInt8(ascii: "s"): .string(text(&iterator))
        case UInt8(ascii: "o"): .objectPath(ObjectPath(checked: text(&iterator)))
        case UInt8(ascii: "g"): (try? DBusSignature(parsing: text(&iterator))).map { .signature($0) }
        case UInt8(ascii: "h"): .unixFileDescriptor(DBusFileDescriptor(owning: basic(&iterator, Int32(-1))))
        case UInt8(ascii: "a"): array(&iterator)
        case UInt8(ascii: "r"): .structure(elements(&iterator))
        case UInt8(ascii: "v"): elements(&iterator).first.map { .variant($0) }
        default: nil
        }
    }

    private static func basic<Value: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ initial: Value) -> Value {
        var value = initial
        dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private static func text(_ iterator: inout DBusMessageIter) -> String {
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &pointer)
        return pointer.map { String(cString: $0) } ?? ""
    }

    private static func elements(_ iterator: inout DBusMessageIter) -> [DBusValue] {
        var inner = cdbus_message_iter()
        dbus_message_iter_recurse(&iterator, &inner)
        var values: [DBusValue] = []
        while dbus_message_iter_get_arg_type(&inner) != 0 {
            if let value = value(at: &inner) { values.append(value) }
            dbus_message_iter_next(&inner)
        }
        return values
    }

    private static func array(_ iterator: inout DBusMessageIter) -> DBusValue? {
        switch UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator)) {
        case UInt8(ascii: "y"):
            return .bytes(ArgumentReader.bytes(at: &iterator))
        case UInt8(ascii: "e"):
            guard case .dictionary(let key, let value) = type(&iterator) else { return nil }
            return .dictionary(entries(&iterator), key: key, value: value)
        default:
            guard case .array(let element) = type(&iterator) else { return nil }
            return .array(elements(&iterator), of: element)
        }
    }

    private static func entries(_ iterator: inout DBusMessageIter) -> [DBusEntry] {
        var inner = cdbus_message_iter()
        dbus_message_iter_recurse(&iterator, &inner)
        var entries: [DBusEntry] = []
        while dbus_message_iter_get_arg_type(&inner) != 0 {
            let pair = elements(&inner)
            if pair.count == 2 { entries.append(DBusEntry(pair[0], pair[1])) }
            dbus_message_iter_next(&inner)
        }
        return entries
    }

    /// The type at the iterator; the values of an empty container do not show it.
    private static func type(_ iterator: inout DBusMessageIter) -> DBusType? {
        guard let text = dbus_message_iter_get_signature(&iterator) else { return nil }
        defer { dbus_free(text) }
        return try? DBusSignature(parsing: String(cString: text)).types.first
    }
}
