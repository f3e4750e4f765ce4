import Base
import Vitals

/// The fields of comma-separated values (RFC 4180).
enum CSVField {
    static let lineEnd: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

    /// The characters that begin a formula in a spreadsheet.
    static let formulaBeginnings: [Unicode.Scalar] = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

    /// Appends an untrusted text.
    ///
    /// A spreadsheet treats a text that begins with `=`, `+`, `-` or `@` as a formula, and some formulas run programs;
    /// an apostrophe prevents that. Control characters are replaced.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = sanitized(text, limit: 256)
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        if let first, formulaBeginnings.contains(first) { text = "'" + text }
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            bytes += text.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a whole number.
    static func append(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends a value without trailing zeros: `72`, `38.6`, `38.65`.
    static func append(_ value: VitalValue, to bytes: inout [UInt8]) {
        if value.hundredths < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, fraction) = value.hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        append(Int64(clamping: whole), to: &bytes)
        if fraction == 0 { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 10))
        if fraction % 10 != 0 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction % 10)) }
    }
}
