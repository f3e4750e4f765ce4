import CDBus

/// Appends values to a message that is being made.
enum MessageWriter {
    /// Appends values to a message's body.
    ///
    /// Throws ``DBusFailure/invalidMessage(_:)`` for a value that D-Bus does not allow, such as an array whose elements
    /// are not of its type or a string with a NUL.
    static func append(_ values: [DBusValue], to message: OpaquePointer) throws(DBusFailure) {
        var iterator = cdbus_message_iter()
        dbus_message_iter_init_append(message, &iterator)
        for value in values { try append(value, to: &iterator) }
    }

    private static func append(_ value: DBusValue, to iterator: inout DBusMessageIter) throws(DBusFailure) {
        switch value {
        case .byte(let value): try basic(value, "y", &iterator)
        case .boolean(let value): try basic(dbus_bool_t(value ? 1 : 0), "b", &iterator)
        case .int16(let value): try basic(value, "n", &iterator)
        case .uint16(let value): try basic(value, "q", &iterator)
        case .int32(let value): try basic(value, "i", &iterator)
        case .uint32(let value): try basic(value, "u", &iterator)
        case .int64(let value): try basic(value, "x", &iterator)
        case .uint64(let value): try basic(value, "t", &iterator)
        case .double(let value): try basic(value, "d", &iterator)
        case .string(let text): try string(text, "s", &iterator)
        case .objectPath(let path): try string(path.description, "o", &iterator)
        case .signature(let signature): try string(signature.description, "g", &iterator)
        case .unixFileDescriptor(let descriptor): try basic(descriptor.number, "h", &iterator)
        case .bytes(let octets): try bytes(octets, &iterator)
        case .array(let elements, let type): try array(elements, type, &iterator)
        case .structure(let fields):
            if fields.isEmpty { throw .invalidMessage("a structure is empty") }
            var inner = try open("r", nil, &iterator)
            for field in fields { try append(field, to: &inner) }
            try close(&iterator, &inner)
        case .dictionary(let entries, let key, let value):
            try dictionary(entries, key, value, &iterator)
        case .variant(let value):
            var inner = try open("v", value.type.signature, &iterator)
            try append(value, to: &inner)
            try close(&iterator, &inner)
        }
    }

    private static func array(
        _ elements: [DBusValue], _ type: DBusType, _ iterator: inout DBusMessageIter
    ) throws(DBusFailure) {
        var inner = try open("a", type.signature, &iterator)
        for element in elements {
            guard element.type == type else {
                throw .invalidMessage("an array of '\(type.signature)' holds a '\(element.type.signature)'")
            }
            try append(element, to: &inner)
        }
        try close(&iterator, &inner)
    }

    private static func dictionary(
        _ entries: [DBusEntry], _ key: DBusType, _ value: DBusType, _ iterator: inout DBusMessageIter
    ) throws(DBusFailure) {
        var inner = try open("a", "{\(key.signature)\(value.signature)}", &iterator)
        for entry in entries {
            guard entry.key.type == key, entry.value.type == value else {
                throw .invalidMessage("a dictionary holds an entry of another type")
            }
            var pair = try open("e", nil, &inner)
            try append(entry.key, to: &pair)
            try append(entry.value, to: &pair)
            try close(&inner, &pair)
        }
        try close(&iterator, &inner)
    }

    private static func bytes(_ octets: [UInt8], _ iterator: inout DBusMessageIter) throws(DBusFailure) {
        var inner = try open("a", "y", &iterator)
        let isAppended = octets.withUnsafeBufferPointer { buffer in
            var base = buffer.baseAddress
            return base == nil
                || dbus_message_iter_append_fixed_array(
                    &inner, Int32(UInt8(ascii: "y")), &base, Int32(clamping: buffer.count)) != 0
        }
        guard isAppended else { throw .invalidMessage("an array of octets is too long") }
        try close(&iterator, &inner)
    }

    private static func basic<Value: BitwiseCopyable>(
        _ value: Value, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) throws(DBusFailure) {
        var value = value
        guard dbus_message_iter_append_basic(&iterator, Int32(code.value), &value) != 0 else {
            throw .invalidMessage("a value of type '\(code)' could not be added")
        }
    }

    private static func string(
        _ text: String, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) throws(DBusFailure) {
        if text.utf8.contains(0) { throw .invalidMessage("a string holds a NUL") }
        let isAppended = text.withCString { characters in
            var pointer: UnsafePointer<CChar>? = characters
            return dbus_message_iter_append_basic(&iterator, Int32(code.value), &pointer) != 0
        }
        guard isAppended else { throw .invalidMessage("a value of type '\(code)' could not be added") }
    }

    private static func open(
        _ code: Unicode.Scalar, _ contents: String?, _ iterator: inout DBusMessageIter
    ) throws(DBusFailure) -> DBusMessageIter {
        var inner = cdbus_message_iter()
        guard dbus_message_iter_open_container(&iterator, Int32(code.value), contents, &inner) != 0 else {
            throw .invalidMessage("a container of type '\(code)' could not be added")
        }
        return inner
    }

    private static func close(
        _ iterator: inout DBusMessageIter, _ inner: inout DBusMessageIter
    ) throws(DBusFailure) {
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else {
            throw .invalidMessage("a container could not be closed")
        }
    }
}
