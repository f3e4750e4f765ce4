import Appearance
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Dashboard

@Suite("A message in the lowest line")
struct MessageTests {
    private static let sizes = [(20, 8), (34, 12), (60, 16), (80, 24), (100, 30), (200, 60)]

    /// Whether the screen shows the beginning of its message.
    private func isShown(_ ward: Ward, _ text: String, _ columns: Int = 100, _ rows: Int = 30) -> Bool {
        let grid = ward.drawn(columns, rows)
        return grid.text(row: rows - 1).contains(text.prefix(12))
    }

    @Test(
        "is shown for five seconds, and the next frame is announced for its end",
        arguments: [Key.character("a"), .character("u"), .escape, .character("f"), .character("b"), .character("O")])
    func fiveSeconds(key: Key) {
        var ward = Ward.live(seconds: 3)
        ward.press(key)
        let message = ward.screen.dialogs.message ?? ""
        #expect(!message.isEmpty)
        let start = ward.now
        var shown: [Bool] = []
        for milliseconds in [0, 1, 2500, 4999, 5000, 5001, 600_000] {
            ward.now = start.advanced(by: .milliseconds(milliseconds))
            shown.append(isShown(ward, message))
        }
        #expect(shown == [true, true, true, true, false, false, false], "\(message)")
        ward.now = start.advanced(by: .milliseconds(4500))
        #expect(
            nextRedraw(state: ward.state, screen: ward.screen, now: ward.now) <= start.advanced(by: ShownMessage.time))
    }

    @Test("is not prolonged by frames, whenever they are drawn, and ends for ever")
    func frames() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            var ward = Ward.live(seconds: 3)
            // Said by the program and not by a key: it begins with the first frame.
            ward.screen.dialogs.message = "A sentence of the program"
            let start = ward.now
            var passed = 0
            while passed < 7000 {
                ward.now = start.advanced(by: .milliseconds(passed))
                ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
                #expect((ward.screen.dialogs.message != nil) == (passed < 5000), "\(passed) ms")
                passed += Int.random(in: 1...900, using: &random)
            }
        }
    }

    private static let alarms: [(name: String, change: @Sendable (inout Ward) -> Void)] = [
        ("fever", { $0.stream(seconds: 3, temperature: { _ in 3920 }) }),
        ("severe rate", { $0.hold([.heartRate: 15_200], seconds: 3) }),
        ("battery", { $0.apply(.battery(Ward.core, percent: 5)) }),
        (
            "link lost",
            { $0.apply(.connection(Ward.oximeter, ConnectionState(phase: .waiting, reason: .linkLost, attempt: 1))) }
        ),
        ("no adapter", { $0.apply(.daemon(.gone)) }),
    ]

    @Test("ends with any new alarm, and with one that has become worse since it was acknowledged", arguments: 0..<5)
    func newAlarm(place: Int) {
        let (name, change) = Self.alarms[place]
        for isOther in [false, true] {
            var ward = Ward.live(seconds: 30)
            if isOther { ward.apply(.battery(Ward.strap, percent: 5)) }
            func calling() -> Set<Int> { Set(ward.state.alarms.filter(\.isFlashing).map(\.id)) }
            let before = calling()
            // Said a moment before the alarm begins, however long that takes.
            func say() {
                ward.screen.dialogs.message = "There is no alarm to acknowledge."
                ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
            }
            say()
            change(&ward)
            for _ in 0..<60 where calling().subtracting(before).isEmpty {
                say()
                ward.pass(1)
            }
            ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
            #expect(!calling().subtracting(before).isEmpty && ward.screen.dialogs.message == nil, "\(name)")
        }
        var ward = Ward.live(seconds: 30)
        ward.hold([.heartRate: 13_000], seconds: 20)
        ward.answer(.acknowledgeAll)
        ward.screen.dialogs.message = "A message"
        ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
        ward.hold([.heartRate: 15_300], seconds: 3)
        ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
        #expect(ward.screen.dialogs.message == nil)
    }

    @Test("leaves the key that acknowledges in its line wherever that is without it, at every size and on every page")
    func keyHint() {
        for story in [Ward.fever(), Ward.several(), Ward.low()] {
            for page in [ScreenState.Page?.none, .alarms, .log, .limits, .settings, .entries, .record, .sensor] {
                var ward = story
                ward.screen.pages.show(page)
                for (columns, rows) in Self.sizes {
                    let plain = ward.drawn(columns, rows)
                    var spoken = ward
                    spoken.screen.dialogs.message = "A message that is far too long for any line of this screen"
                    let grid = spoken.drawn(columns, rows)
                    let isNamed = plain.text(row: rows - 1).contains("a acknowledge")
                    #expect(!isNamed || grid.text(row: rows - 1).contains("a acknowledge"), "\(columns) × \(rows)")
                    let isClickable = plain.spots.contains {
                        $0.target as? Target == .key(.character("a")) && $0.area.row == rows - 1
                    }
                    #expect(
                        !isClickable
                            || grid.spots.contains {
                                $0.target as? Target == .key(.character("a")) && $0.area.row == rows - 1
                            })
                }
            }
        }
    }

    @Test("of a replay is shown for as long as a person needs to read it, whatever the speed")
    func replay() {
        for (speed, seconds) in [("1", 5), ("0.5", 5), ("10", 50), ("60", 300), ("max", 5000)] {
            var ward = Ward.live(seconds: 3)
            ward.screen.session.replay = ReplayStatus(range: 0...1, speed: speed)
            ward.screen.dialogs.message = "This is a replay."
            let start = ward.now
            for (second, isShown) in [(0, true), (seconds - 1, true), (seconds, false)] {
                ward.now = start.advanced(by: .seconds(second))
                ward.screen.prepare(for: ward.state, size: (80, 24), at: ward.now)
                #expect((ward.screen.dialogs.message != nil) == isShown, "\(speed), \(second) s")
            }
        }
    }
}
