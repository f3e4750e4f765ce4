import Appearance
import Monitoring
import TestSupport
import Testing

@testable import Dashboard

@Suite("A key that can do nothing")
struct IdleKeysTests {
    private static let pages: [ScreenState.Page?] = [nil] + ScreenState.Page.all

    @Test(
        "of all commands, on every page of every story: each changes the picture, asks for something, or says why not",
        .computing,
        arguments: Ward.stories.map(\.name))
    func saysWhy(name: String) throws {
        let story = try #require(Ward.stories.first { $0.name == name }?.ward)
        // Shares of three and of five have no common divisor, so fifteen days have every key on every page.
        for page in RandomCases.share(3, of: Self.pages) {
            var ward = story
            ward.screen.dialogs.closeInputLine()
            ward.screen.dialogs.message = nil
            // The card is closed by any key that opens a page.
            if page != nil { ward.screen.dialogs.showsWelcome = false }
            ward.screen.pages = Pages()
            ward.screen.pages.show(page)
            ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
            // A pairing takes the screen and the keys, and names its own.
            if ward.screen.pairedSensor(in: ward.state) != nil { continue }
            check(ward, "\(name), \(page.map { "\($0.type)" } ?? "main")")
            ward.screen.dialogs.showsWelcome = false
            ward.screen.pages.help = LineScroll()
            check(ward, "\(name), help")
        }
    }

    private func check(_ ward: Ward, _ place: String) {
        let before = ward.drawn(100, 30)
        for key in RandomCases.share(5, of: KeyBinding.table.flatMap(\.keys)) {
            var pressed = ward
            let wish = pressed.screen.keyPressed(key, in: ward.state, at: ward.now)
            if wish != nil { continue }
            let isChanged = pressed.drawn(100, 30) != before
            #expect(isChanged, "\(key.name) does nothing and says nothing: \(place)")
        }
    }

    @Test("says where it works, if it works elsewhere")
    func elsewhere() {
        var ward = Ward.live(seconds: 2)
        ward.press(.character("S"))
        #expect(ward.screen.dialogs.message == "S works only on the page of alarms.")
        ward.press(.character("z"))
        ward.press(.enter)
        #expect(ward.screen.dialogs.message == "Enter does nothing on this page.")
        ward.press(.character("J"))
        #expect(ward.screen.dialogs.message == "J does nothing; ? shows all keys.")
    }
}
