import Appearance
import Dashboard
import Monitoring
import Testing
import Vitals

@Suite("The line of a replay")
struct ReplayBannerTests {
    private func ward(_ change: (inout ReplayStatus) -> Void = { _ in }) -> Ward {
        var ward = Ward.live(seconds: 5)
        let now = ward.now.wallMilliseconds
        var replay = ReplayStatus(range: now - 60_000...now + 60_000, speed: "10")
        change(&replay)
        ward.screen.session.replay = replay
        return ward
    }

    @Test("stands above everything, at every size and on every page")
    func everywhere() {
        for page in ["", "A", "L", "l", ",", "i", "?", "z"] {
            var ward = ward()
            for key in page.unicodeScalars { _ = ward.press(.character(key)) }
            for columns in [1, 2, 5, 6, 7, 8, 9, 10, 18, 19, 20, 30, 60, 100, 400] {
                for rows in [1, 2, 3, 6, 16, 30] {
                    let first = ward.drawn(columns, rows).text(row: 0)
                    let wanted = String("REPLAY".prefix(columns))
                    #expect(first.contains(wanted), "\(columns) × \(rows): \(first)")
                }
            }
        }
    }

    @Test("takes one row, or some columns where there is only one, and leaves the rest as it is")
    func room() {
        let replay = ward()
        var live = replay
        live.screen.session.replay = nil
        let (with, without) = (replay.drawn(40, 8), live.drawn(40, 7))
        // The values and the alarms; the header has no adapter to show.
        #expect(with.text(row: 2) == without.text(row: 1))
        #expect(replay.drawn(60, 1).text(row: 0).hasPrefix("REPLAY "))
        #expect(replay.drawn(60, 1).text(row: 0).count > 10)
    }

    @Test("shows its time and date, the speed, the position and the keys, as they fit")
    func text() {
        let time = "10:00:05"
        let wide = ward().drawn(120, 30).text(row: 0)
        #expect(wide.contains(" REPLAY  "), "\(wide)")
        #expect(wide.contains("10x") && wide.contains("50 %") && wide.contains("Space pause"), "\(wide)")
        #expect(wide.contains(/of \d{4}-\d\d-\d\d/) && wide.contains(/\d\d:\d\d:\d\d/), "\(wide) \(time)")
        let narrow = ward().drawn(30, 30).text(row: 0)
        #expect(narrow.contains("10x") && narrow.contains(/\d\d:\d\d:\d\d/))
    }

    @Test("says that it is paused, goes somewhere, or is over")
    func states() {
        #expect(ward { $0.isPaused = true }.drawn(100, 30).text(row: 0).contains("PAUSED 10x"))
        #expect(ward { $0.isPaused = true }.drawn(100, 30).text(row: 0).contains("Space go on"))
        #expect(ward { $0.isSeeking = true }.drawn(100, 30).text(row: 0).contains("going there"))
        let ended = ward { $0.hasEnded = true }.drawn(100, 30).text(row: 0)
        #expect(ended.contains("END OF REPLAY") && !ended.contains("Space"))
        #expect(ward { $0.hasEnded = true }.drawn(24, 6).text(row: 0).contains("END OF REPLAY"))
    }

    @Test("answers its keys, which do nothing in the present")
    func keys() {
        let keys: [(Character, ReplayWish)] = [
            (" ", .togglePause), ("<", .slower), (">", .faster), (".", .step), ("{", .jump(seconds: -60)),
            ("}", .jump(seconds: 60)), ("(", .jump(seconds: -3600)), (")", .jump(seconds: 3600)),
        ]
        for (key, wish) in keys {
            for page in ["", "A", "?", "i"] {
                var (replay, live) = (ward(), Ward.live(seconds: 5))
                for letter in page.unicodeScalars {
                    _ = replay.press(.character(letter))
                    _ = live.press(.character(letter))
                }
                #expect(replay.press(.character(key.unicodeScalars.first!)) == .replay(wish))
                #expect(live.press(.character(key.unicodeScalars.first!)) == nil)
            }
        }
    }

    @Test("does nothing about sensors, sound or settings, and says so")
    func nothingNow() {
        for key: Key in [.character("d"), .character("s"), .character("p"), .character("B"), .character("P")] {
            var ward = ward()
            #expect(ward.press(key) == nil)
            #expect(ward.screen.dialogs.message?.contains("This is a replay") == true)
        }
        // Enter connects nothing there: it opens the page of whatever sensor is selected.
        var ward = ward()
        #expect(ward.press(.enter) == nil)
        #expect(ward.press(.enter) == .sensor(.inspect(address: Ward.strap.address)))
    }

    @Test("a restarted recording forgets everything")
    func restarted() {
        var ward = ward()
        let start = ward.now.advanced(by: .seconds(-100))
        #expect(ward.state.apply(MonitorEvent(moment: start, kind: .restarted)).isEmpty)
        #expect(ward.state == MonitorState(settings: ward.state.settings, start: start))
    }
}
