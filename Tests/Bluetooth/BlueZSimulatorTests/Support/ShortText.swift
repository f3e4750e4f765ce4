import DBus

/// Short forms of what travels over the bus.
enum ShortText {
    static func path(_ path: String) -> String {
        guard path.hasPrefix("/org/bluez/hci0") else { return path }
        let text = path.dropFirst("/org/bluez".count)
        // An address that ends in 00 to 0F is shortened to its last digit.
        let address = text.dropFirst("/hci0/dev_".count)
        guard text.hasPrefix("/hci0/dev_"), address.count >= 17 else { return String(text) }
        let end = address.dropFirst(15)
        guard end.first == "0", let digit = end.dropFirst().first else { return String(text) }
        return "/D\(digit)" + end.dropFirst(2)
    }

    static func interface(_ name: String) -> String { name.replacing("org.bluez.", with: "") }

    static func value(_ value: DBusValue) -> String {
        switch value {
        case .variant(let inner): self.value(inner)
        case .boolean(let isTrue): "\(isTrue)"
        case .bytes(let octets): octets.map { hexadecimal($0) }.joined()
        case .array(let elements, _): "[" + elements.map { self.value($0) }.joined(separator: ", ") + "]"
        case .dictionary(let entries, _, _):
            "{" + entries.map { "\(self.value($0.key)): \(self.value($0.value))" }.joined(separator: ", ") + "}"
        default:
            value.integer.map { "\($0)" } ?? uuid(path(value.text ?? "?"))
        }
    }

    private static func uuid(_ text: String) -> String {
        guard text.hasPrefix("0000"), text.hasSuffix("-0000-1000-8000-00805f9b34fb") else { return text }
        return String(text.dropFirst(4).prefix(4))
    }

    private static func hexadecimal(_ octet: UInt8) -> String {
        let digits = String(octet, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
