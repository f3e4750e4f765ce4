/// The name that an oximeter gives the file of a night, which is hostile until it is checked.
public enum NightName {
    /// The most octets of a name; rings use 14.
    public static let longest = 64

    /// Whether a name can be one of a file: letters and digits of ASCII, `_` and `-`, 1 to ``longest``.
    public static func isUsable(_ name: String) -> Bool {
        (1...longest).contains(name.utf8.count)
            && name.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// When a night begins by the clock of its ring, from a name such as `20260921221320`; `nil` for any other name.
    public static func start(_ name: String) -> DeviceTime? {
        let digits = name.utf8.map { Int($0) - 0x30 }
        guard digits.count == 14, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let time = DeviceTime(
            year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
            minute: number(10..<12), second: number(12..<14))
        // The text has the only check of a device's time.
        return DeviceTime(time.text)
    }
}
