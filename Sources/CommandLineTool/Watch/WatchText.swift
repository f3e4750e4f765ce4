import Vitals

/// The texts of the values in the lines of `bedside watch --json`.
enum WatchText {
    /// A sensor's time without a zone, or `nil` when it does not know its date.
    static func text(of time: DeviceTime) -> String? {
        guard let year = time.year, let month = time.month, let day = time.day else { return nil }
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
            + "T\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))"
    }

    static func hexadecimal(_ octets: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        return String(octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
