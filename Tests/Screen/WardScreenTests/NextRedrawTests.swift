import Appearance
import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardScreen

@Suite("The next frame of a ward")
struct NextRedrawTests {
    @Test("comes when an age, the clock or a flash changes, and not before anything does", .computing)
    func nextRedraw() {
        var world = WardGoldenTests.ward(beds: 40)
        var screen = WardScreenState()
        (screen.glyphs, screen.order) = (.ascii, .name)
        var (frames, longest) = (0, Int64(0))
        for _ in 0..<25 {
            for _ in 0..<7 { world.fault() }
            world.step(130)
            let now = world.moment
            let next = nextWardRedraw(world.ward, screen, now: now).since(now).components
            let milliseconds = next.seconds * 1000 + next.attoseconds / 1_000_000_000_000_000
            #expect((0...5000).contains(milliseconds))
            // Lines without trends, so that everything on the screen is a text.
            let grid = drawWard(world.ward, screen, size: (100, 45), now: now)
            for part in Int64(1)...4 {
                let later = now.advanced(by: .milliseconds(max(0, milliseconds - 1) * part / 4))
                #expect(drawWard(world.ward, screen, size: (100, 45), now: later) == grid)
            }
            frames += 1
            longest = max(longest, milliseconds)
        }
        #expect(longest > 100)
    }

    @Test("comes no sooner for the ages of new values, which are not shown among other beds")
    func newValues() {
        var crafted = CraftedWard()
        for number in 1...200 {
            for _ in 0..<2 { crafted.bed("\(number)", [.heartRate: 7200, .oxygenSaturation: 9800]) }
        }
        var screen = WardScreenState()
        // Until they would be overdue.
        #expect(nextWardRedraw(crafted.ward, screen, now: crafted.moment).since(crafted.moment) == .seconds(3))
        screen.page = .bed(crafted.beds[0])
        #expect(nextWardRedraw(crafted.ward, screen, now: crafted.moment).since(crafted.moment) == .seconds(2))
    }

    @Test("copies no bed, nor does a message: 200 states would cost more than drawing them")
    func inPlace() {
        var crafted = CraftedWard()
        for number in 1...200 {
            for _ in 0..<2 { crafted.bed("\(number)", [.heartRate: 7200]) }
        }
        func address(_ ward: WardState) -> UnsafePointer<BedState>? {
            ward.beds.withUnsafeBufferPointer(\.baseAddress)
        }
        let place = address(crafted.ward)
        for step in 0..<200 {
            crafted.heartbeat("\(step % 200 + 1)")
            let frame = WardFrame(crafted.ward, WardScreenState(), size: (120, 40), now: crafted.moment)
            _ = nextWardRedraw(crafted.ward, WardScreenState(), now: crafted.moment)
            _ = crafted.ward.soundCauses
            #expect(frame.selected != nil && address(crafted.ward) == place)
        }
    }

    @Test("is seconds away where nothing changes")
    func calm() throws {
        var small = try SmallWard()
        small.pass(3)
        small.handle(small.ward.brokerChanged(.lost("it is gone"), at: small.moment))
        small.handle(small.ward.acknowledgeOwnAlarms(of: nil, at: small.moment))
        let next = nextWardRedraw(small.ward, WardScreenState(), now: small.moment)
        #expect(next.since(small.moment) == .seconds(5))
    }
}
