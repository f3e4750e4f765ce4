import Vitals

/// The texts of values in the lines of `bedside watch --json`.
enum WatchText {
    /// A sensor's time without a zone; unknown parts of the date are empty: `--T14:30:45`.
    static func text(of time: DeviceTime) -> String {
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = [
            time.year.map { padded($0, 4) } ?? "", time.month.map { padded($0) } ?? "",
            time.day.map { padded($0) } ?? "",
        ]
        return "\(date.joined(separator: "-"))T\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))"
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
