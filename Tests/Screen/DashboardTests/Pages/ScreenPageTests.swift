import Appearance
import Monitoring
import Testing

@testable import Dashboard

@Suite("Pages")
struct ScreenPageTests {
    static let pages: [ScreenState.Page?] = [nil] + ScreenState.Page.all

    /// Nothing, sensors, alarms, entries: what the guards of pages ask for.
    private static let stories = ["empty", "live", "fever", "manual"]

    private func wards(on page: ScreenState.Page?) -> [Ward] {
        Ward.stories.filter { Self.stories.contains($0.name) }.map {
            var ward = $0.ward
            ward.screen.dialogs.closeInputLine()
            ward.screen.pages.show(page)
            ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
            return ward
        }
    }

    @Test("every command that has a key on a page is handled there, as on the main view", arguments: pages)
    func handled(page: ScreenState.Page?) {
        #expect(wards(on: page).count == Self.stories.count)
        for ward in wards(on: page) {
            for binding in KeyBinding.table where binding.isUsable(on: page) {
                var screen = ward.screen
                #expect(
                    screen.handle(binding.command, in: ward.state, at: ward.now) != .passed, "\(binding.command)")
            }
        }
    }

    @Test("what has a key on a page alone, the page handles itself", arguments: ScreenState.Page.all)
    func own(page: ScreenState.Page) {
        for ward in wards(on: page) {
            for binding in KeyBinding.table
            where binding.isUsable(on: page) && ![.everywhere, .replay, .sensors].contains(binding.context) {
                var (content, screen) = (ward.screen.pages[page], ward.screen)
                let handling = content.handle(binding.command, &screen, in: ward.state, at: ward.now)
                #expect(handling != .passed, "\(binding.command)")
            }
        }
    }

    @Test("a page takes no command that has no key there", arguments: ScreenState.Page.all)
    func foreign(page: ScreenState.Page) {
        for ward in wards(on: page) {
            for binding in KeyBinding.table where !binding.isUsable(on: page) {
                var (content, screen) = (ward.screen.pages[page], ward.screen)
                let handling = content.handle(binding.command, &screen, in: ward.state, at: ward.now)
                #expect(handling == .passed, "\(binding.command)")
            }
        }
    }

    @Test("the command of a page opens it, and closes it again; so do Esc and q", arguments: ScreenState.Page.all)
    func opens(page: ScreenState.Page) {
        for way in [page.type.opener, .close, .quit] {
            var ward = Ward.live(seconds: 5)
            _ = ward.screen.handle(page.type.opener, in: ward.state, at: ward.now)
            #expect(ward.screen.pages.current == page)
            let handling = ward.screen.handle(way, in: ward.state, at: ward.now)
            #expect(handling == .handled(page.type.wishOnLeaving))
            #expect(ward.screen.pages.current == nil)
        }
    }

    @Test("two pages are opened by two commands")
    func openers() {
        #expect(Set(ScreenState.Page.all.map { $0.type.opener }).count == ScreenState.Page.all.count)
        #expect(Set(ScreenState.Page.all).count == ScreenState.Page.all.count)
    }

    @Test("a page remembers what was selected, and a page where nothing was is as if it was never open")
    func remembers() {
        var pages = Pages()
        pages[LimitsPage.self].selected = LimitPlace(.oxygenSaturation, .low) ?? LimitPlace()
        #expect(pages != Pages())
        pages.show(.limits)
        pages.close()
        #expect(pages[LimitsPage.self].selected.vital == .oxygenSaturation)
        pages[LimitsPage.self].selected = LimitPlace()
        #expect(pages == Pages())
    }

    @Test("where no sensor can be seen to be selected, no alarm is held for care", arguments: ScreenState.Page.all)
    func care(page: ScreenState.Page) {
        var ward = Ward.live(seconds: 5)
        ward.screen.pages.show(page)
        let handling = ward.screen.handle(.pauseForCare, in: ward.state, at: ward.now)
        let isHeld = handling == .handled(ScreenState.care(Ward.strap, in: ward.state))
        #expect(isHeld == page.type.showsSelectedSensor)
        #expect(page.type.showsSelectedSensor == [.sensors, .sensor, .rhythm].contains(page))
    }

    @Test("Enter closes the help, whatever it does on the page below", arguments: pages)
    func help(page: ScreenState.Page?) {
        var ward = Ward.live(seconds: 5)
        ward.screen.pages.show(page)
        let isBound = ward.screen.keys.command(for: .enter, on: page) != nil
        ward.press(.character("?"))
        #expect(ward.press(.enter) == nil)
        #expect((ward.screen.pages.help == nil) == isBound)
        #expect(ward.screen.pages.current == page)
    }
}

@Suite("The six keys of selection")
struct ListMoveTests {
    private static let moves: [ListMove] = [.previous, .next, .pageUp, .pageDown, .first, .last]

    @Test("never leave the list, and reach all of it")
    func bounds() {
        for (count, page) in (0...12).flatMap({ count in (1...7).map { (count, $0) } }) {
            for (place, move) in (0...15).flatMap({ place in Self.moves.map { (place, $0) } }) {
                #expect((0...max(0, count - 1)).contains(move.place(from: place, page: page, last: count - 1)))
            }
            var reached: [Int] = [0]
            for _ in 1..<max(2, count) {
                reached.append(ListMove.next.place(from: reached[reached.count - 1], page: page, last: count - 1))
            }
            #expect(Set(reached) == Set(0..<max(1, count)))
        }
    }

    @Test("are six commands, and no others")
    func commands() {
        #expect(Set(Command.allCases.compactMap(ListMove.init)) == Set(Self.moves))
        #expect(Command.allCases.count { ListMove($0) != nil } == Self.moves.count)
    }

    @Test("a cursor stays on its row while rows come and go, and is on the first one where its row has gone")
    func cursor() {
        var cursor = ListCursor<String>()
        #expect(cursor.place(in: ["a", "b"]) == 0)
        #expect(cursor.move(.next, in: ["a", "b"]) == true)
        #expect(cursor.place(in: ["x", "y", "b", "c"]) == 2)
        #expect(cursor.move(.last, in: ["x", "y", "b", "c"]) == true)
        #expect(cursor.move(.next, in: ["x", "c"]) == false)
        #expect(cursor.place(in: ["x", "y"]) == 0)
        #expect(cursor.move(.next, in: []) == false)
    }
}
