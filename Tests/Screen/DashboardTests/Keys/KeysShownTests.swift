import Appearance
import Monitoring
import Testing

@testable import Dashboard

@Suite("Keys of one's own on the screen")
struct KeysShownTests {
    @Test("a key does what it was given, and the former one nothing any more")
    func rebinds() {
        var ward = Ward.live(seconds: 2)
        ward.screen.keys[.acknowledge] = [.function(5), .character("ä")]
        #expect(ward.screen.keyPressed(.character("a"), in: ward.state) == nil)
        #expect(ward.screen.keyPressed(.function(5), in: ward.state) == .patient(.acknowledgeAll))
        #expect(ward.screen.keyPressed(.character("ä"), in: ward.state) == .patient(.acknowledgeAll))
    }

    @Test("alarm line, key bar and help name the keys as they are bound")
    func shown() {
        var ward = Ward.fever()
        ward.screen.keys[.acknowledge] = [.function(5)]
        ward.screen.keys[.toggleHelp] = [.function(1), .character("?")]
        let bar = ward.drawn(100, 30)
        #expect(bar.text(row: 1).contains("[F5] acknowledge"))
        #expect(bar.text(row: 29).contains("F1, ? help"))
        #expect(!bar.text(row: 1).contains("[a]"))
        ward.screen.pages.help = LineScroll()
        let help = ward.drawn(100, 80)
        let text = (0..<80).map { help.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("F5       acknowledge all alarms"))
        #expect(text.contains("F1 or Esc closes"))
    }

    @Test("where the footer is short, the key that acknowledges is the last to leave it")
    func acknowledgeLeavesLast() {
        for story in [Ward.fever(), Ward.high()] {
            var pages: [ScreenState.Page?] = [.alarms, .log, .limits, .settings, .entries, .record, .sensor, .rhythm]
            pages.append(nil)
            for page in pages {
                var ward = story
                ward.screen.pages.show(page)
                for columns in 20...130 {
                    let grid = ward.drawn(columns, 30)
                    let keys = grid.spots.filter { $0.area.row == 29 }.map(\.target)
                    let isKept = keys.isEmpty || keys.contains { $0 as? Target == .key(.character("a")) }
                    #expect(isKept, "\(columns): \(grid.text(row: 29))")
                    // At first the help, which covers nothing of the main page.
                    if page == nil { #expect(!keys.isEmpty) }
                }
            }
        }
    }

    @Test("the key that disconnects is named for a connected sensor from 80 columns on, and for no other one")
    func disconnect() {
        for story in [Ward.live(seconds: 5), Ward.sensorPage()] {
            for columns in 80...300 {
                #expect(story.drawn(columns, 30).text(row: 29).contains("d disconnect"), "\(columns)")
            }
        }
        var nearby = Ward.live(seconds: 5)
        nearby.screen.list.selection = Ward.thermometer.address
        for columns in [80, 120, 300] { #expect(!nearby.drawn(columns, 30).text(row: 29).contains("disconnect")) }
    }

    @Test("the help shows the configured times")
    func times() {
        var settings = MonitorSettings()
        settings.alarmSignals.audioPause = .seconds(60)
        settings.answers.snooze = .seconds(300)
        var ward = Ward(settings: settings)
        ward.screen.pages.help = LineScroll()
        let help = ward.drawn(100, 80)
        let text = (0..<80).map { help.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("pause the sound for 60 s, or end the pause"))
        #expect(text.contains("silence this kind of alarm for 5 min"))
    }
}
