import JSON
import TestSupport

/// Lines that are nearly right: valid ones in which a few places hold something else that fits the grammar.
struct LineMutator {
    private var random: SeededGenerator
    private let pool: [JSON5Value]

    /// - Parameter lines: Valid lines, from whose parts others are made.
    init(seed: Int, _ lines: [[UInt8]]) throws {
        random = SeededGenerator(seed: UInt64(seed))
        pool = try lines.map { try JSON5Parser.parse($0, .json) }
    }

    private static let integers: [Int64] = [
        .min, .min + 1, -9_223_372_036_854_775_000, -4_611_686_018_427_387_904, -2_147_483_649, -100_000_000,
        -86_400_000,
        -1000, -1, 0, 1, 2, 5, 16, 60, 255, 256, 3600, 65_536, 1_000_000, 1_000_000_000, 2_147_483_647, 2_147_483_648,
        4_294_967_296, 1_000_000_000_000_000, 9_007_199_254_740_993, 4_611_686_018_427_387_904, .max - 1, .max,
    ]

    private static let texts = [
        "", "\u{1B}[2J\n", "heart_rate", "body_temperature", "high", "A0:00:00:00:00:01", "\u{0}",
        String(repeating: "e\u{301}", count: 300), String(repeating: "x", count: 5000), "\u{202E}abc", "0", "_0",
    ]

    /// The next line, without its line feed.
    mutating func next() -> [UInt8] {
        var value = pool.randomElement(using: &random) ?? JSON5Value(.null)
        for _ in 0..<Int.random(in: 1...3, using: &random) { change(&value, depth: 0) }
        var line: [UInt8] = []
        Self.write(value, to: &line)
        // Some are no JSON any more.
        if Int.random(in: 0..<20, using: &random) == 0, !line.isEmpty {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: line.removeLast(Int.random(in: 0..<line.count, using: &random))
            case 1: line[Int.random(in: 0..<line.count, using: &random)] = .random(in: .min ... .max, using: &random)
            default: line.insert(contentsOf: line, at: Int.random(in: 0..<line.count, using: &random))
            }
        }
        return line
    }

    /// Changes one place somewhere within a value.
    private mutating func change(_ value: inout JSON5Value, depth: Int) {
        // Further down is more to be found than at the top.
        let isOngoing = depth < 12 && Int.random(in: 0..<8, using: &random) > 0
        switch value.content {
        case .object(var members) where isOngoing && !members.isEmpty:
            let place = Int.random(in: 0..<members.count, using: &random)
            change(&members[place].value, depth: depth + 1)
            value = JSON5Value(.object(members))
        case .array(var elements) where isOngoing && !elements.isEmpty:
            let place = Int.random(in: 0..<elements.count, using: &random)
            change(&elements[place], depth: depth + 1)
            value = JSON5Value(.array(elements))
        default: value = JSON5Value(replacement(value.content))
        }
    }

    private mutating func integer() -> Int64 {
        (Self.integers.randomElement(using: &random) ?? 0) &+ Int64.random(in: -1...1, using: &random)
    }

    /// Something else for this place, mostly of the same kind.
    private mutating func replacement(_ content: JSON5Value.Content) -> JSON5Value.Content {
        if Int.random(in: 0..<10, using: &random) == 0 {
            return [.null, .boolean(true), .integer(1), .array([]), .string("x"), .object([])]
                .randomElement(using: &random) ?? .null
        }
        switch content {
        case .null, .number: return .integer(integer())
        case .boolean(let value): return .boolean(!value)
        case .integer(let value):
            return .integer(
                Bool.random(using: &random) ? integer() : value &+ Int64.random(in: -1000...1000, using: &random))
        case .string: return .string(Self.texts.randomElement(using: &random) ?? "")
        case .array(var elements):
            switch Int.random(in: 0..<6, using: &random) {
            case 0: elements = []
            case 1: elements.shuffle(using: &random)
            case 2: elements += elements.prefix(4)
            case 3: elements += elements.isEmpty ? [JSON5Value(.integer(integer()))] : elements
            case 4: elements.removeLast(min(elements.count, Int.random(in: 1...4, using: &random)))
            default: if !elements.isEmpty { elements.removeLast() }
            }
            return .array(elements)
        case .object(var members):
            switch Int.random(in: 0..<4, using: &random) {
            case 0: members.shuffle(using: &random)
            case 1: if !members.isEmpty { members.remove(at: Int.random(in: 0..<members.count, using: &random)) }
            case 2: members += members.prefix(1)
            default: if !members.isEmpty { members[0].name = Self.texts.randomElement(using: &random) ?? "" }
            }
            return .object(members)
        }
    }

    /// Writes a value with the fewest escapes, other than `JSONWriter`.
    private static func write(_ value: JSON5Value, to line: inout [UInt8]) {
        switch value.content {
        case .null: line.append(contentsOf: "null".utf8)
        case .boolean(let value): line.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): line.append(contentsOf: String(value).utf8)
        case .number(let value): line.append(contentsOf: value.description.utf8)
        case .string(let text): write(text, to: &line)
        case .array(let elements):
            line.append(UInt8(ascii: "["))
            for (place, element) in elements.enumerated() {
                if place > 0 { line.append(UInt8(ascii: ",")) }
                write(element, to: &line)
            }
            line.append(UInt8(ascii: "]"))
        case .object(let members):
            line.append(UInt8(ascii: "{"))
            for (place, member) in members.enumerated() {
                if place > 0 { line.append(UInt8(ascii: ",")) }
                write(member.name, to: &line)
                line.append(UInt8(ascii: ":"))
                write(member.value, to: &line)
            }
            line.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        defer { line.append(UInt8(ascii: "\"")) }
        if isPlain(text) { return line.append(contentsOf: text.utf8) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
            case ..<0x20: line += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: line.append(byte)
            }
        }
    }

    /// Whether a text needs no escapes, as nearly all do.
    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            for byte in bytes where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return false
            }
            return true
        }
    }
}
