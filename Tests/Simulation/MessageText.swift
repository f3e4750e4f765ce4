import Foundation

/// A message of the program: one object of JSON, of which single fields are read.
///
/// A night has a hundred thousand of them, so they are searched rather than parsed; every fiftieth is parsed as well.
struct MessageText {
    let octets: ArraySlice<UInt8>

    /// The first field with a name, as it is written; a text without its quotes.
    ///
    /// - Parameter place: A text that must come before, such as the name of an object.
    func field(_ name: String, after place: String? = nil) -> Substring? {
        var rest = octets
        if let place {
            guard let end = self.end(of: place, in: rest) else { return nil }
            rest = rest[end...]
        }
        guard let start = end(of: "\"\(name)\":", in: rest), start < octets.endIndex else { return nil }
        if octets[start] == UInt8(ascii: "\"") {
            let end = octets[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) ?? octets.endIndex
            return Substring(String(decoding: octets[(start + 1)..<end], as: UTF8.self))
        }
        let value = octets[start...].prefix { ![UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains($0) }
        return Substring(String(decoding: value, as: UTF8.self))
    }

    /// The number in a field.
    func number(_ name: String) -> Double? { field(name).flatMap { Double($0) } }

    /// Whether a text is in it.
    func holds(_ text: String) -> Bool { end(of: text, in: octets) != nil }

    /// Whether it is one object of JSON, of the version that readers know.
    var isObject: Bool {
        guard let object = try? JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any] else { return false }
        return object["v"] as? Int == 1
    }

    /// The parts that begin as objects of messages do, such as the rows of a batch.
    var parts: [MessageText] {
        var (parts, rest): ([MessageText], ArraySlice<UInt8>) = ([], octets)
        let beginning = "{\"v\":1,"
        guard var start = end(of: beginning, in: rest) else { return [] }
        while true {
            rest = octets[start...]
            let next = end(of: beginning, in: rest)
            parts.append(MessageText(octets: rest[..<(next ?? octets.endIndex)]))
            guard let next else { return parts }
            start = next
        }
    }

    /// The place behind the first occurrence of a text.
    private func end(of text: String, in octets: ArraySlice<UInt8>) -> Int? {
        octets.withUnsafeBytes { whole in
            var text = text
            return text.withUTF8 { wanted in
                guard let base = whole.baseAddress, let beginning = wanted.baseAddress else { return nil }
                var place = 0
                while whole.count - place >= wanted.count,
                    let found = memchr(base + place, Int32(wanted[0]), whole.count - place - wanted.count + 1)
                {
                    place = UnsafeRawPointer(found) - base
                    if memcmp(found, beginning, wanted.count) == 0 { return octets.startIndex + place + wanted.count }
                    place += 1
                }
                return nil
            }
        }
    }
}
