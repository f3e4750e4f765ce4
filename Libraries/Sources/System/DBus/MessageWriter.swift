import CDBus

/// Appends values to a message.
///
/// Quirk libdbus-aborts: libdbus ends the process on everything that D-Bus does not allow, so all of that is refused
/// first.
enum MessageWriter {
    /// The greatest length of an array in bytes, and the greatest depth of containers within each other (D-Bus
    /// specification, "Valid signatures", "Marshalling").
    private static let greatestArrayLength = 67_108_864
    private static let greatestDepth = 64

    /// Appends values to a message's body.
    ///
    /// Throws ``DBusConnectionError/invalidMessage(_:)`` for a value that D-Bus does not allow, such as an array whose
    /// elements are not of its type or a string with a NUL; the message must be discarded then.
    static func append(_ values: [DBusValue], to message: OpaquePointer) throws(DBusConnectionError) {
        if values.isEmpty { return }
        try check(values.map(\.type.signature).joined())
        var iterator = cdbus_message_iter()
        dbus_message_iter_init_append(message, &iterator)
        for value in values { try append(value, to: &iterator, depth: 0) }
    }

    private static func append(
        _ value: DBusValue, to iterator: inout DBusMessageIter, depth: Int
    ) throws(DBusConnectionError) {
        if depth > greatestDepth { throw .invalidMessage("more than 64 containers are nested") }
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
        case .signature(let signature):
            let text = signature.description
            try check(text)
            try string(text, "g", &iterator)
        case .unixFileDescriptor(let descriptor): try basic(descriptor.number, "h", &iterator)
        case .bytes(let bytes): try byteArray(bytes, &iterator)
        case .array(let elements, let type):
            try container("a", type.signature, &iterator) { inner throws(DBusConnectionError) in
                for element in elements {
                    guard element.type == type else {
                        throw .invalidMessage("an array of '\(type.signature)' holds a '\(element.type.signature)'")
                    }
                    try append(element, to: &inner, depth: depth + 1)
                }
            }
        case .structure(let fields):
            try container("r", nil, &iterator) { inner throws(DBusConnectionError) in
                for field in fields { try append(field, to: &inner, depth: depth + 1) }
            }
        case .dictionary(let entries, let key, let value):
            try container("a", "{\(key.signature)\(value.signature)}", &iterator) { inner throws(DBusConnectionError) in
                for entry in entries {
                    guard entry.key.type == key, entry.value.type == value else {
                        throw .invalidMessage("a dictionary holds an entry of another type")
                    }
                    try container("e", nil, &inner) { pair throws(DBusConnectionError) in
                        try append(entry.key, to: &pair, depth: depth + 2)
                        try append(entry.value, to: &pair, depth: depth + 2)
                    }
                }
            }
        case .variant(let value):
            let signature = value.type.signature
            try check(signature)
            try container("v", signature, &iterator) { inner throws(DBusConnectionError) in
                try append(value, to: &inner, depth: depth + 1)
            }
        }
    }

    /// Refuses a signature that libdbus would refuse.
    private static func check(_ signature: String) throws(DBusConnectionError) {
        guard dbus_signature_validate(signature, nil) != 0 else {
            throw .invalidMessage("'\(signature)' is not a signature")
        }
    }

    private static func byteArray(_ bytes: [UInt8], _ iterator: inout DBusMessageIter) throws(DBusConnectionError) {
        if bytes.count > greatestArrayLength { throw .invalidMessage("an array of bytes is too long") }
        try container("a", "y", &iterator) { inner throws(DBusConnectionError) in
            let isAppended = bytes.withUnsafeBufferPointer { buffer in
                var base = buffer.baseAddress
                return buffer.isEmpty
                    || dbus_message_iter_append_fixed_array(
                        &inner, Int32(UInt8(ascii: "y")), &base, Int32(buffer.count)) != 0
            }
            guard isAppended else { throw .invalidMessage("an array of bytes could not be added") }
        }
    }

    private static func basic<Value: BitwiseCopyable>(
        _ value: Value, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) throws(DBusConnectionError) {
        var value = value
        guard dbus_message_iter_append_basic(&iterator, Int32(code.value), &value) != 0 else {
            throw .invalidMessage("a value of type '\(code)' could not be added")
        }
    }

    private static func string(
        _ text: String, _ code: Unicode.Scalar, _ iterator: inout DBusMessageIter
    ) throws(DBusConnectionError) {
        if text.utf8.contains(0) { throw .invalidMessage("a string holds a NUL") }
        let isAppended = text.withCString { characters in
            var pointer: UnsafePointer<CChar>? = characters
            return dbus_message_iter_append_basic(&iterator, Int32(code.value), &pointer) != 0
        }
        guard isAppended else { throw .invalidMessage("a value of type '\(code)' could not be added") }
    }

    /// Appends a container and its contents; abandons it when they cannot be appended.
    private static func container(
        _ code: Unicode.Scalar, _ contents: String?, _ iterator: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) throws(DBusConnectionError) -> Void
    ) throws(DBusConnectionError) {
        var inner = cdbus_message_iter()
        guard dbus_message_iter_open_container(&iterator, Int32(code.value), contents, &inner) != 0 else {
            throw .invalidMessage("a container of type '\(code)' could not be added")
        }
        do {
            try body(&inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else {
            throw .invalidMessage("a container could not be closed")
        }
    }
}
