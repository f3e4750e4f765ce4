import Appearance

/// Separates a terminal's answers about its ground from the keys that are typed meanwhile.
///
/// It is asked for the colour of its ground (OSC 11, XTerm Control Sequences), and for its attributes (DA1, ECMA-48),
/// which nearly every terminal answers, and in the order of the questions: what has not come before the second answer
/// will not come. The answers may come in any number of pieces; what is like one is never a key.
struct GroundAnswer {
    /// Asks for the colour of the ground, and then for the attributes.
    static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

    /// The colour of the ground; `nil` while it is not known.
    private(set) var ground: Theme.Color?
    /// Whether the second answer has come, so that none is awaited.
    private(set) var isComplete = false
    /// What has come of a sequence.
    private var held: [UInt8] = []
    private var state = State.keys

    private enum State {
        /// Outside of any sequence.
        case keys
        /// After an Esc, which may be a key or begin a sequence.
        case escape
        /// After an Esc that was passed on as a key because nothing followed for a while.
        case lateEscape
        /// In a sequence of numbers.
        case control
        /// In a string.
        case string
        /// After an Esc in a string, which ends it.
        case stringEnd
    }

    /// The greatest length of an answer; of a longer one the rest is dropped.
    private static let longest = 128
    /// After this many octets a string that has no end is none.
    private static let longestString = 4096

    private static let escape: UInt8 = 0x1B
    private static let bell: UInt8 = 0x07

    /// Whether a sequence has begun and not ended.
    var isWithinSequence: Bool { state != .keys && state != .lateEscape }

    /// Returns what is not an answer: keys, as the terminal has sent them.
    mutating func keys(in octets: some Sequence<UInt8>) -> [UInt8] {
        var keys: [UInt8] = []
        for octet in octets { receive(octet, &keys) }
        return keys
    }

    /// Returns an Esc that has come, after which nothing came for so long that it is a key.
    mutating func lateEscape() -> [UInt8] {
        guard state == .escape else { return [] }
        state = .lateEscape
        return [Self.escape]
    }

    private mutating func receive(_ octet: UInt8, _ keys: inout [UInt8]) {
        switch state {
        case .keys: receiveOutside(octet, &keys)
        case .escape, .lateEscape: receiveAfterEscape(octet, &keys)
        case .control: receiveInControl(octet, &keys)
        case .string: receiveInString(octet, &keys)
        case .stringEnd:
            endString()
            // Another sequence may begin with the Esc; a backslash only ends the string.
            if octet != UInt8(ascii: "\\") { receiveAfterEscape(octet, &keys) }
        }
    }

    private mutating func receiveOutside(_ octet: UInt8, _ keys: inout [UInt8]) {
        if octet == Self.escape { state = .escape } else { keys.append(octet) }
    }

    private mutating func receiveAfterEscape(_ octet: UInt8, _ keys: inout [UInt8]) {
        let isPassedOn = state == .lateEscape
        held = []
        switch octet {
        case UInt8(ascii: "["): state = .control
        // No key begins like that.
        case UInt8(ascii: "]"): state = .string
        case Self.escape:
            if !isPassedOn { keys.append(octet) }
            state = .escape
        default:
            state = .keys
            keys += isPassedOn ? [octet] : [Self.escape, octet]
        }
    }

    private mutating func receiveInControl(_ octet: UInt8, _ keys: inout [UInt8]) {
        switch octet {
        case 0x20...0x3F where held.count < Self.longest: held.append(octet)
        // No terminal sends so many numbers; they are neither an answer nor a key.
        case 0x20...0x3F: break
        case 0x40...0x7E:
            state = .keys
            if octet == UInt8(ascii: "c"), held.first == UInt8(ascii: "?") {
                isComplete = true
            } else if held.count < Self.longest {
                keys += [Self.escape, UInt8(ascii: "[")] + held + [octet]
            }
        default:
            state = .keys
            receiveOutside(octet, &keys)
        }
    }

    private mutating func receiveInString(_ octet: UInt8, _ keys: inout [UInt8]) {
        switch octet {
        case Self.escape: state = .stringEnd
        case Self.bell: endString()
        case 0x20...0x7E where held.count < Self.longestString: held.append(octet)
        default:
            // No answer has another control character, or is so long: it is cut off, and keys are keys again.
            held = []
            state = .keys
            receiveOutside(octet, &keys)
        }
    }

    private mutating func endString() {
        state = .keys
        defer { held = [] }
        guard held.count <= Self.longest, held.starts(with: "11;".utf8) else { return }
        // The first answer counts; nothing is asked twice.
        ground = ground ?? Theme.Color(answer: String(decoding: held.dropFirst(3), as: UTF8.self))
    }
}

extension Theme.Color {
    /// Reads a colour as terminals report it: `rgb:1e1e/1e1e/1e1e` with one to four digits for each, `rgba:` with the
    /// opacity beside them, or `#1e1e1e` (XParseColor).
    ///
    /// - Returns: `nil` when the text is no such colour, or when something else shines through it.
    init?(answer: String) {
        let parts: [Substring]
        if answer.hasPrefix("#") {
            let digits = answer.dropFirst()
            guard digits.utf8.count % 3 == 0, 3...12 ~= digits.utf8.count else { return nil }
            let size = digits.utf8.count / 3
            parts = (0..<3).map { digits.dropFirst($0 * size).prefix(size) }
        } else {
            let words = answer.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, words[0] == "rgb" || words[0] == "rgba" else { return nil }
            parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == (words[0] == "rgb" ? 3 : 4) else { return nil }
        }
        let components = parts.compactMap(Self.component)
        guard components.count == parts.count, components.count == 3 || components[3] == 0xFF else { return nil }
        self.init(rgb: components[0] << 16 | components[1] << 8 | components[2], bright: 0, basic: 0)
    }

    /// One to four hexadecimal digits as 8 bits: `f`, `ff`, `fff` and `ffff` are all the whole.
    private static func component(_ digits: Substring) -> Int? {
        // A number could have a sign.
        guard 1...4 ~= digits.count, digits.allSatisfy(\.isHexDigit), let value = Int(digits, radix: 16) else {
            return nil
        }
        let whole = (1 << (4 * digits.count)) - 1
        return (value * 0xFF + whole / 2) / whole
    }
}
