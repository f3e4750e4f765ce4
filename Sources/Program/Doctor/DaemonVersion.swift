/// Finds the version of bluetoothd.
public enum DaemonVersion {
    /// The version in an adapter's `Modalias`.
    ///
    /// Quirk no-version: BlueZ 5.66 has no property for its version, but gives its adapters the identity of the Linux
    /// Foundation (1D6B) and of BlueZ (0246) with the version as two bytes, unless `main.conf` says otherwise:
    /// `usb:v1D6Bp0246d0542` is 5.66.
    public static func version(modalias: String) -> String? {
        let prefix = "usb:v1D6Bp0246d"
        let digits = modalias.dropFirst(prefix.count)
        guard modalias.hasPrefix(prefix), digits.utf8.count == 4,
            digits.allSatisfy(\.isHexDigit), let number = UInt16(digits, radix: 16)
        else {
            return nil
        }
        return "\(number >> 8).\(number & 0xFF)"
    }

    /// The version in the output of `bluetoothd --version`: two numbers with a full stop between them.
    public static func version(printed: String) -> String? {
        let word = printed.prefix { $0 != "\n" }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else {
            return nil
        }
        return String(word)
    }
}
