import Vitals

/// A sensor's own time in the store: `2026-01-02T03:04:05`, without a zone; unknown parts are zero.
extension DeviceTime {
    var storedText: String {
        func padded(_ number: Int?, _ width: Int = 2) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute)):\(padded(second))"
    }

    /// Reads a stored text; `nil` when it is invalid.
    init?(storedText: String) {
        let parts = storedText.utf8.split(omittingEmptySubsequences: false) { $0 < 0x30 || $0 > 0x39 }
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        guard parts.count == 6, let hour = parts[3], let minute = parts[4], let second = parts[5] else { return nil }
        func known(_ number: Int?) -> Int? { number == 0 ? nil : number }
        self.init(
            year: known(parts[0]), month: known(parts[1]), day: known(parts[2]), hour: hour, minute: minute,
            second: second)
    }
}
