/// Writes JSON into a buffer of bytes, without a tree and without allocations once the buffer has grown.
///
/// The writer sets commas. Keys and values must come in the order of JSON (a key before each value of an object, as
/// many ends as beginnings); the writer does not check that.
///
/// ```swift
/// var json = JSONWriter()
/// json.beginObject()
/// json.key("vital")
/// json.string("heart_rate")
/// json.key("value")
/// json.integer(72)
/// json.endObject()
/// json.newline()
/// ```
public struct JSONWriter: Sendable {
    /// The JSON written so far, as UTF-8.
    public private(set) var bytes: [UInt8]

    /// Whether the next key or value follows another one.
    private var needsComma = false

    /// Creates a writer with room for `capacity` bytes.
    public init(capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Removes the written bytes and keeps the capacity.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Ends the innermost object.
    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends the innermost array.
    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the key of the value that follows.
    public mutating func key(_ name: String) {
        separate()
        quoted(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    ///
    /// DEL, the C1 controls and invisible format characters are escaped, too, so that no line can control a terminal; a
    /// reader of JSON gets the text unchanged.
    public mutating func string(_ text: String) {
        separate()
        quoted(text)
        needsComma = true
    }

    /// Writes a string that a closure appends as printable ASCII without quotes and backslashes.
    public mutating func verbatimString(_ append: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(&bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a whole number.
    public mutating func integer(_ number: some FixedWidthInteger) {
        separate()
        if number < 0 {
            bytes.append(UInt8(ascii: "-"))
        }
        appendDigits(of: UInt64(truncatingIfNeeded: number.magnitude))
        needsComma = true
    }

    /// Writes a number that a closure appends in JSON's syntax.
    public mutating func verbatimNumber(_ append: (inout [UInt8]) -> Void) {
        separate()
        append(&bytes)
        needsComma = true
    }

    /// Writes a number; infinity and NaN, which JSON lacks, become `null`.
    public mutating func number(_ number: Double) {
        guard number.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: number.description.utf8)
        needsComma = true
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
        needsComma = true
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
        needsComma = true
    }

    /// Ends a line; the next value is a new JSON text.
    public mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Writes other text unchanged, between JSON texts.
    public mutating func verbatim(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        needsComma = false
    }

    private mutating func separate() {
        if needsComma {
            bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func appendDigits(of number: UInt64) {
        let start = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            if utf8.allSatisfy(JSONEscape.isPlain) {
                bytes.append(contentsOf: utf8)
            } else {
                escaped(String(decoding: utf8, as: UTF8.self))
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escaped(_ text: String) {
        for scalar in text.unicodeScalars {
            if let escape = JSONEscape.short(scalar) {
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(escape)
            } else if JSONEscape.isHarmful(scalar) {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    bytes.append(contentsOf: "\\u".utf8)
                    JSONEscape.appendHexadecimal(unit, to: &bytes)
                }
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }
}

/// The escaped characters of a JSON string.
enum JSONEscape {
    /// Whether a byte of UTF-8 is a printable ASCII character that needs no escape.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The letter after the backslash in the short form of an escape, if there is one.
    static func short(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "\"": UInt8(ascii: "\"")
        case "\\": UInt8(ascii: "\\")
        case "\n": UInt8(ascii: "n")
        case "\r": UInt8(ascii: "r")
        case "\t": UInt8(ascii: "t")
        case "\u{8}": UInt8(ascii: "b")
        case "\u{C}": UInt8(ascii: "f")
        default: nil
        }
    }

    /// Whether a character may control a terminal or is invisible in it.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x20 {
            return true
        }
        guard scalar.value >= 0x7F else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Appends the four hexadecimal digits of a UTF-16 code unit.
    static func appendHexadecimal(_ unit: UInt16, to bytes: inout [UInt8]) {
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift) & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
