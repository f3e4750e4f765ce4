import Appearance
import Dashboard
import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

@Suite("Which bed is meant at a ward's screen")
struct SeenBedTests {
    private static let keys: [Key] = [.enter, .character("a"), .character("g"), .character("G")]

    @Test("a key acts on the bed that was seen, and on none where another one has just come to the front")
    func order() throws {
        var world = WardGoldenTests.ward(beds: 6)
        var screen = WardScreenState()
        var front = screen.selectedBed(world.ward)
        var (changes, refusals) = (0, 0)
        screen.drew(screen.selectedBed(world.ward), at: world.moment)
        for step in 0..<400 {
            if step % 10 == 7 { world.fault() }
            if step % 60 == 59 { world.heal() }
            world.step(200)
            let selected = screen.selectedBed(world.ward)
            let wasSeen = selected == front
            if !wasSeen { changes += 1 }
            for key in Self.keys {
                var other = screen
                let wish = other.handle(key, world.ward, columns: 2, at: world.moment)
                // Before the next frame: what is seen is still the former one.
                if !wasSeen { #expect(wish == .lookAgain) }
                if wish == .lookAgain {
                    refusals += 1
                    #expect(other.page == .beds)
                } else if key == .enter {
                    #expect(other.page == .bed(try #require(front)))
                }
            }
            screen.drew(screen.selectedBed(world.ward), at: world.moment)
            front = selected
        }
        #expect(changes > 3 && refusals > 12)
    }

    @Test("a key waits half a second after the change, and not at all for a bed that somebody has chosen")
    func time() throws {
        let world = WardGoldenTests.ward(beds: 6)
        var screen = WardScreenState()
        screen.drew(screen.selectedBed(world.ward), at: world.moment)
        func wish(after milliseconds: Int64) -> WardScreenWish? {
            var screen = screen
            return screen.handle(
                .character("g"), world.ward, columns: 2, at: world.moment.advanced(by: .milliseconds(milliseconds)))
        }
        let first = try #require(screen.selectedBed(world.ward))
        #expect(wish(after: 499) == .lookAgain)
        #expect(wish(after: 500) == .going(first))
        _ = screen.handle(.right, world.ward, columns: 2, at: world.moment)
        let second = try #require(screen.selectedBed(world.ward))
        #expect(second != first)
        #expect(wish(after: 0) == .going(second))
    }

    @Test("beds of one name have their sites' names beside it, and a bed of an only site has not")
    func sites() throws {
        var random = SeededGenerator(seed: 5)
        var ward = WardState(name: WardToken(random: &random), start: FaultyWorld.moment(0))
        _ = ward.brokerChanged(.connected, at: FaultyWorld.moment(0))
        func text() -> String {
            let grid = drawWard(ward, WardScreenState(), size: (80, 24), now: FaultyWorld.moment(0))
            return (0..<grid.rows).map { grid.text(row: $0) }.joined(separator: "\n")
        }
        for site in ["north", "south"] {
            let bed = WardBed(site: try #require(WardToken(site)), bed: try #require(WardToken("12")))
            var monitor = SimulatedMonitor(
                bed, host: "pc", session: WardToken(random: &random), bootOffset: 0, partsPerMillion: 0, phase: 0, at: 0
            )
            for message in monitor.connect(WardToken(random: &random), 0) {
                _ = ward.receive(
                    topic: message.topic.text, payload: message.payload, isRetained: message.isRetained,
                    at: FaultyWorld.moment(0))
            }
            #expect(ward.hasSeveralSites == (site == "south"))
            #expect(text().contains("bed 12 ") && text().contains("bed 12 south") == (site == "south"))
        }
        #expect(text().contains("bed 12 north"))
        let notice = ward.answer(.going, bed: try #require(ward.beds.last?.bed), at: FaultyWorld.moment(0))
        #expect(notice.isEmpty && ward.notice?.text.hasPrefix("Bed 12 south ") == true)
    }
}
