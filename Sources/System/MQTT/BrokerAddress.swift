/// Where a broker listens: `mqtts://ward.example:8883`.
public struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Its name or number.
    public var host: String
    public var port: UInt16
    /// Whether the connection is encrypted (`mqtts`).
    public var isEncrypted: Bool

    public init(host: String, port: UInt16, isEncrypted: Bool) {
        (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
    }

    /// Reads an address; `nil` when it is none.
    ///
    /// A user or password in it is refused, because an address is shown and logged.
    public init?(_ text: String) {
        let isEncrypted = text.hasPrefix("mqtts://")
        guard isEncrypted || text.hasPrefix("mqtt://") else { return nil }
        var rest = text.dropFirst(isEncrypted ? 8 : 7)
        if rest.last == "/" { rest.removeLast() }
        var port: UInt16 = isEncrypted ? 8883 : 1883
        let isNumeric = rest.first == "["
        let host: Substring
        if isNumeric {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(host.count)
        }
        if !rest.isEmpty {
            guard rest.first == ":", let number = UInt16(rest.dropFirst()), number > 0 else { return nil }
            port = number
        }
        let allowed = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            case UInt8(ascii: ":"): isNumeric
            default: false
            }
        }
        guard allowed, !host.isEmpty, host.utf8.count <= 253 else { return nil }
        self.init(host: String(host), port: port, isEncrypted: isEncrypted)
    }

    public var description: String {
        let host = self.host.contains(":") ? "[\(self.host)]" : self.host
        return "\(isEncrypted ? "mqtts" : "mqtt")://\(host):\(port)"
    }

    /// Whether the broker is on this computer, so that nothing leaves it.
    public var isLocal: Bool { host == "localhost" || host == "127.0.0.1" || host == "::1" }
}
