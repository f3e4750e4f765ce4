import Appearance
import TestSupport
import Testing

@testable import Terminal

@Suite("A terminal's answer about its ground")
struct GroundAnswerTests {
    private static let escape: UInt8 = 0x1B
    private static let fence = "\u{1B}[?1;2c"

    /// What is left as keys, and the answer.
    private func receive(_ text: String, inPiecesOf size: Int = .max) -> (keys: String, answer: GroundAnswer) {
        var answer = GroundAnswer()
        var keys: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            keys += answer.keys(in: rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return (String(decoding: keys, as: UTF8.self), answer)
    }

    @Test(
        "is read in every form that terminals use, and in no other",
        arguments: [
            ("rgb:1e1e/2f2f/3030", 0x1E2F30), ("rgb:1e/2f/30", 0x1E2F30), ("rgb:f/0/8", 0xFF0088),
            ("rgb:fff/000/800", 0xFF0080), ("rgb:FFFF/FfFf/ffff", 0xFFFFFF), ("rgb:8000/7fff/00ff", 0x807F01),
            ("rgba:ffff/0000/8080/ffff", 0xFF0080), ("#1e2f30", 0x1E2F30), ("#f08", 0xFF0088),
            ("#ffff00008080", 0xFF0080),
            // Something shines through it.
            ("rgba:0000/0000/0000/dddd", nil), ("rgba:0/0/0/0", nil),
            ("rgb:", nil), ("rgb:1/2", nil), ("rgb:1/2/3/4", nil), ("rgba:1/2/3", nil), ("rgb:12345/0/0", nil),
            ("rgb://", nil), ("rgb:+f/0/0", nil), ("rgb:-1/0/0", nil), ("rgb:g/0/0", nil), ("rgb: f/0/0", nil),
            ("#", nil), ("#12", nil), ("#1234", nil), ("#1234567890123", nil), ("#gggggg", nil), ("black", nil),
            ("rgbi:1.0/1.0/1.0", nil), ("RGB:f/f/f", nil), ("?", nil), ("", nil),
        ])
    func colors(text: String, rgb: Int?) {
        #expect(Theme.Color(answer: text)?.rgb == rgb)
        for end in ["\u{07}", "\u{1B}\\"] {
            let (keys, answer) = receive("\u{1B}]11;\(text)\(end)" + Self.fence)
            #expect(keys.isEmpty && answer.ground?.rgb == rgb && answer.isComplete)
        }
    }

    /// What comes, the keys in it, the ground, and whether the second answer was there.
    private static let arrivals: [(String, String, Int?, Bool)] = [
        ("\u{1B}]11;rgb:ff/ff/ff\u{07}\u{1B}[?62;22c", "", 0xFFFFFF, true),
        ("a\u{1B}]11;rgb:ff/ff/ff\u{07}b\u{1B}[?6cc", "abc", 0xFFFFFF, true),
        // Keys beside the answers, also those with sequences of their own.
        ("\u{1B}[A\u{1B}OB\u{1B}[?1;2cä\u{1B}[200~q\u{1B}[201~", "\u{1B}[A\u{1B}OBä\u{1B}[200~q\u{1B}[201~", nil, true),
        ("\u{1B}q\u{1B}\u{1B}[B", "\u{1B}q\u{1B}\u{1B}[B", nil, false),
        // Only the first counts, and only of the ground.
        ("\u{1B}]11;#000\u{07}\u{1B}]11;#fff\u{07}", "", 0x000000, false),
        ("\u{1B}]10;#fff\u{07}\u{1B}]4;1;#fff\u{07}\u{1B}]110;#fff\u{07}", "", nil, false),
        // An answer in an answer, one without an end, and one that another sequence breaks off.
        ("\u{1B}]11;\u{1B}]11;#fff\u{07}", "", 0xFFFFFF, false),
        ("\u{1B}]11;rgb:ff/ff/ff\u{1B}[?1;2c", "", 0xFFFFFF, true),
        ("\u{1B}]11;rgb:ff/ff/ff\rj", "\rj", nil, false),
        ("\u{1B}]11;rgb:ff/\u{00}ff/ff\u{07}", "\u{00}ff/ff\u{07}", nil, false),
        // Reports that are no answer to us stay what they are.
        ("\u{1B}[c\u{1B}[>0;1c\u{1B}[?25h", "\u{1B}[c\u{1B}[>0;1c\u{1B}[?25h", nil, false),
        ("\u{1B}[12\u{1B}[?6c", "", nil, true),
    ]

    @Test("is told from keys, which stay as they were typed", arguments: arrivals.indices)
    func keys(index: Int) {
        let (text, keys, rgb, isComplete) = Self.arrivals[index]
        // The answers may come in any pieces.
        for size in [Int.max, 1, 2, 3, 5] {
            let (left, answer) = receive(text, inPiecesOf: size)
            #expect(left == keys && answer.ground?.rgb == rgb && answer.isComplete == isComplete, "\(size)")
        }
    }

    @Test("that is endless is dropped, and keys are keys again after it")
    func endless() {
        for start in ["\u{1B}]11;", "\u{1B}]11;rgb:", "\u{1B}[", "\u{1B}[?"] {
            for filler in ["f", "1", "/", ";"] where start.hasSuffix("[") || start.hasSuffix("?") ? filler != "f" : true
            {
                var answer = GroundAnswer()
                _ = answer.keys(in: start.utf8)
                var keys = 0
                // The keyboard is not dead for longer than a string is taken for an answer.
                for _ in 0..<10_000 { keys += answer.keys(in: filler.utf8).count }
                let isString = start.contains("]")
                #expect(isString ? keys > 5000 && keys < 6000 : keys == 0, "\(start.debugDescription) \(filler)")
                #expect(answer.keys(in: "m\rj".utf8).suffix(2).elementsEqual("\rj".utf8))
                #expect(answer.ground == nil && !answer.isComplete)
            }
        }
    }

    @Test("may follow an Esc that was a key because nothing came with it for a while")
    func lateEscape() {
        var answer = GroundAnswer()
        #expect(answer.keys(in: [Self.escape]).isEmpty && answer.isWithinSequence)
        #expect(answer.lateEscape() == [Self.escape] && !answer.isWithinSequence)
        #expect(answer.lateEscape().isEmpty)
        #expect(answer.keys(in: "]11;#fff\u{07}x".utf8) == Array("x".utf8))
        #expect(answer.ground?.rgb == 0xFFFFFF)
        _ = answer.keys(in: [Self.escape])
        _ = answer.lateEscape()
        #expect(answer.keys(in: "q\u{1B}[?1c".utf8) == Array("q".utf8) && answer.isComplete)
    }

    @Test("of any octets gives keys that were there, in their order, and the same in any pieces")
    func fuzz() {
        var generator = SeededGenerator(seed: RandomCases.firstSeed)
        let parts = [
            "\u{1B}", "]", "11;", "rgb:", "ff", "/", "#fff", "\u{07}", "\\", "[", "?", "1", ";", "c", "q", "\r", "ä",
            "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{1B}\\", Self.fence, "\u{1B}[A", "\u{00}", "\u{7F}", "\u{9C}",
        ].map { Array($0.utf8) }
        for _ in 0..<RandomCases.count("BEDSIDE_ANSWERS", usually: 3000) {
            var octets: [UInt8] = []
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                octets +=
                    Bool.random(using: &generator)
                    ? parts.randomElement(using: &generator) ?? []
                    : [UInt8.random(in: 0...255, using: &generator)]
            }
            var (whole, pieces) = (GroundAnswer(), GroundAnswer())
            let keys = whole.keys(in: octets)
            var others: [UInt8] = []
            var rest = octets[...]
            while !rest.isEmpty {
                let size = Int.random(in: 1...4, using: &generator)
                others += pieces.keys(in: rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(keys == others && whole.ground == pieces.ground && whole.isComplete == pieces.isComplete)
            // Nothing is made up: the keys are a part of what came, in its order.
            var position = octets.startIndex
            for key in keys {
                guard let found = octets[position...].firstIndex(of: key) else {
                    Issue.record("\(key) was not there in \(octets)")
                    break
                }
                position = found + 1
            }
        }
    }
}
