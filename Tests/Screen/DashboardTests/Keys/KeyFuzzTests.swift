import Appearance
import Base
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Dashboard

/// A hundred thousand keys, pressed at random in every story, at every size.
@Suite("Random keys on the pure screen")
struct KeyFuzzTests {
    private static let presses = 100_000
    private static let keys: [Key] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/?.,:-+<>[]() ä心\u{1B}\u{202E}\u{0300}"
        .unicodeScalars.map { .character($0) }
        + [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .enter, .enter, .escape, .escape,
            .backspace, .delete, .eraseLine, .other, .pasted("q"), .pasted("\n"), .pasted("7"),
        ]

    /// Invariants after every key in any order.
    private func check(_ ward: Ward, _ wish: ScreenWish?) -> String? {
        if let prompt = ward.screen.dialogs.pairingPrompt, prompt.text.unicodeScalars.count > prompt.limit {
            return "a text longer than its limit"
        }
        if case .monitor(.sensor(.rename(_, let label)))? = wish,
            label.unicodeScalars.count > RememberedSensor.labelLimit
        {
            return "a label longer than its limit"
        }
        return nil
    }

    @Test(
        "never crash, never leave the screen, and what is drawn is whole", .computing,
        arguments: RandomCases.share(3, of: UInt64(0)..<10))
    func fuzz(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var ward = try #require(Ward.stories.randomElement(using: &random)?.ward)
        for press in 0..<Self.presses / 10 {
            if press % 250 == 0 { ward = try #require(Ward.stories.randomElement(using: &random)?.ward) }
            let key = try #require(Self.keys.randomElement(using: &random))
            let wish = ward.screen.keyPressed(key, in: ward.state, at: ward.now)
            if case .monitor(.patient(let action))? = wish { ward.answer(action) }
            if press % 64 == 0 { ward.pass(1) }
            if let fault = check(ward, wish) {
                Issue.record("\(fault) after \(press) presses of seed \(seed)")
                return
            }
            guard press % 100 == 0 else { continue }
            let (columns, rows) = (Int.random(in: 1...90, using: &random), Int.random(in: 1...30, using: &random))
            let glyphs = GlyphSet.allCases.randomElement(using: &random) ?? .ascii
            ward.screen.prepare(for: ward.state, size: (columns, rows), at: ward.now)
            let fault = DrawPropertyTests.fault(
                in: ward.drawn(columns, rows, glyphs), columns, rows, isASCII: glyphs == .ascii)
            if let fault {
                Issue.record("\(fault) after \(press) presses of seed \(seed) at \(columns) × \(rows)")
                return
            }
        }
    }
}
