import Monitoring
import Testing
import Vitals

@testable import Dashboard

@Suite("Next redraw")
struct NextRedrawTests {
    @Test("nothing on the screen changes before the moment that is announced", arguments: Ward.stories.map(\.name))
    func nothingBefore(name: String) throws {
        var ward = try #require(Ward.stories.first { $0.name == name }?.ward)
        // Only text and numbers count here: columns of half an hour do not move while the story lasts.
        ward.screen.trends.window = .day
        for _ in 0..<80 {
            ward.screen.prepare(for: ward.state, size: (100, 30), at: ward.now)
            let next = nextRedraw(state: ward.state, screen: ward.screen, now: ward.now)
            #expect(next > ward.now)
            let before = ward.drawn(100, 30)
            let distance = next.since(ward.now)
            ward.now = ward.now.advanced(by: distance - .milliseconds(1))
            #expect(ward.drawn(100, 30) == before)
            ward.now = ward.now.advanced(by: .milliseconds(1))
        }
    }

    @Test("a screen without sensors is drawn once a minute, on the minute")
    func onlyTheClock() {
        let ward = Ward.empty()
        let next = nextRedraw(state: ward.state, screen: ward.screen, now: ward.now)
        #expect(next.wallMilliseconds % 60_000 == 0)
        #expect(next.since(ward.now) == .seconds(60))
    }
}
