import Appearance
import Testing
import Vitals

@testable import Dashboard

@Suite("The key that sets how often a thermometer measures")
struct IntervalKeyTests {
    /// The page of a thermometer that announced something.
    private static func page(_ interval: AnnouncedInterval?) -> Ward {
        var ward = Ward.live(seconds: 5)
        ward.find(Ward.thermometer, signal: -60)
        ward.apply(.connection(Ward.thermometer, ConnectionState(phase: .ready)))
        if let interval { ward.apply(.announcedInterval(Ward.thermometer, interval)) }
        ward.screen.list.selection = Ward.thermometer.address
        ward.press(.character("i"))
        return ward
    }

    private static func text(_ ward: Ward) -> String {
        (0..<40).map { ward.drawn(100, 40).text(row: $0) }.joined(separator: "\n")
    }

    private static func type(_ text: String, in ward: inout Ward) {
        for scalar in text.unicodeScalars { ward.press(.character(scalar)) }
    }

    @Test("asks for seconds, with the present ones to type over, and wishes them")
    func set() {
        var ward = Self.page(AnnouncedInterval(seconds: 60, isSettable: true))
        #expect(Self.text(ward).contains("measures every 1min · I changes it"))
        ward.press(.character("I"))
        #expect(Self.text(ward).contains("Seconds between values"))
        Self.type("5", in: &ward)
        #expect(ward.press(.enter) == .sensor(.setInterval(address: Ward.thermometer.address, seconds: 5)))
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("refuses what is no number of seconds, and keeps the text", arguments: ["x", "70000", "-1"])
    func refused(text: String) {
        var ward = Self.page(AnnouncedInterval(seconds: 60, isSettable: true))
        ward.press(.character("I"))
        Self.type(text, in: &ward)
        #expect(ward.press(.enter) == nil)
        #expect(ward.screen.dialogs.explanation?.contains("expected seconds from 0 to 65535") == true)
        #expect(ward.screen.dialogs.inputLine != nil)
    }

    @Test("says why nothing can be set: nothing announced, not settable, not connected")
    func impossible() {
        var ward = Self.page(nil)
        ward.press(.character("I"))
        #expect(ward.screen.dialogs.message?.hasSuffix("does not say how often it measures.") == true)
        ward = Self.page(AnnouncedInterval(seconds: 0, isSettable: false))
        ward.press(.character("I"))
        #expect(
            ward.screen.dialogs.message?.hasSuffix("measures on request only, and does not let that be set.") == true)
        ward = Self.page(AnnouncedInterval(seconds: 60, isSettable: true))
        ward.apply(.connection(Ward.thermometer, ConnectionState(phase: .disconnected, reason: .user)))
        ward.press(.character("I"))
        #expect(ward.screen.dialogs.message?.contains("once Thermometer X is connected") == true)
    }
}
