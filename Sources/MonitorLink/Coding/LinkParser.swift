/// Parses JSON (RFC 8259) whose numbers are integers, byte by byte.
struct LinkParser {
    /// The greatest nesting depth of lists and objects.
    private static let greatestDepth = 64

    private let octets: [UInt8]
    private var offset = 0

    /// Parses a text that consists of one value.
    ///
    /// - Throws: ``LinkError`` for the first error.
    static func parse(_ octets: [UInt8]) throws(LinkError) -> LinkNode {
        var parser = LinkParser(octets: octets)
        let node = try parser.value(depth: 0)
        parser.skipBlanks()
        guard parser.offset == octets.count else { throw parser.mistake("there is more than one value") }
        return node
    }

    private init(octets: [UInt8]) {
        self.octets = octets
    }

    private func mistake(_ reason: String) -> LinkError { LinkError(offset: offset, reason: reason) }

    private var next: UInt8? { offset < octets.count ? octets[offset] : nil }

    private mutating func skipBlanks() {
        while let octet = next, octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 { offset += 1 }
    }

    private mutating func consume(_ octet: UInt8) -> Bool {
        skipBlanks()
        guard next == octet else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(LinkError) -> LinkNode {
        if depth == Self.greatestDepth { throw mistake("too deep") }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case let octet? where octet == UInt8(ascii: "-") || Self.isDigit(octet): return .integer(try integer())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw mistake("no value")
        }
    }

    private static func isDigit(_ octet: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= octet }

    private mutating func word(_ word: String, _ node: LinkNode) throws(LinkError) -> LinkNode {
        guard octets[offset...].starts(with: word.utf8) else { throw mistake("no value") }
        offset += word.utf8.count
        return node
    }

    private mutating func members(depth: Int) throws(LinkError) -> [(key: String, node: LinkNode)] {
        offset += 1
        var members: [(key: String, node: LinkNode)] = []
        if consume(UInt8(ascii: "}")) { return members }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw mistake("no name") }
            let key = try string()
            guard consume(UInt8(ascii: ":")) else { throw mistake("no colon") }
            members.append((key, try value(depth: depth + 1)))
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "}")) else { throw mistake("the object does not end") }
        return members
    }

    private mutating func list(depth: Int) throws(LinkError) -> LinkNode {
        offset += 1
        if consume(UInt8(ascii: "]")) { return .integers([]) }
        var integers: [Int64] = []
        var nodes: [LinkNode] = []
        repeat {
            let node = try value(depth: depth + 1)
            if nodes.isEmpty, case .integer(let integer) = node {
                integers.append(integer)
            } else {
                if nodes.isEmpty { nodes = integers.map { .integer($0) } }
                nodes.append(node)
            }
        } while consume(UInt8(ascii: ","))
        guard consume(UInt8(ascii: "]")) else { throw mistake("the list does not end") }
        return nodes.isEmpty ? .integers(integers) : .list(nodes)
    }

    private mutating func integer() throws(LinkError) -> Int64 {
        let start = offset
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        var value: Int64 = 0
        var count = 0
        while let octet = next, Self.isDigit(octet) {
            let digit = Int64(octet - UInt8(ascii: "0"))
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) =
                isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
            guard !overflow, !sumOverflow else { throw mistake("a number of more than 64 bits") }
            value = sum
            count += 1
            offset += 1
        }
        let first = isNegative ? start + 1 : start
        guard count > 0, count == 1 || octets[first] != UInt8(ascii: "0") else { throw mistake("no number") }
        if next == UInt8(ascii: ".") || next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            throw mistake("no whole number")
        }
        return value
    }

    private mutating func string() throws(LinkError) -> String {
        offset += 1
        var text: [UInt8] = []
        while let octet = next {
            offset += 1
            switch octet {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw mistake("no UTF-8") }
                return string
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            case 0..<0x20: throw mistake("a control character")
            default: text.append(octet)
            }
        }
        throw mistake("the string does not end")
    }

    private mutating func escape() throws(LinkError) -> [UInt8] {
        guard let octet = next else { throw mistake("the string does not end") }
        offset += 1
        switch octet {
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [octet]
        case UInt8(ascii: "u"):
            var units = [try unit()]
            if UTF16.isLeadSurrogate(units[0]) {
                guard octets[offset...].starts(with: "\\u".utf8) else { throw mistake("half a character") }
                offset += 2
                units.append(try unit())
            }
            guard let text = String(validating: units, as: UTF16.self) else { throw mistake("no character") }
            return Array(text.utf8)
        default: throw mistake("no escape")
        }
    }

    private mutating func unit() throws(LinkError) -> UInt16 {
        guard offset + 4 <= octets.count else { throw mistake("no character") }
        var value: UInt16 = 0
        for octet in octets[offset..<offset + 4] {
            guard let digit = Character(Unicode.Scalar(octet)).hexDigitValue else { throw mistake("no character") }
            value = value << 4 | UInt16(digit)
        }
        offset += 4
        return value
    }
}
