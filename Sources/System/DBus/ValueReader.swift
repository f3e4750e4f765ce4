import CDBus

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
