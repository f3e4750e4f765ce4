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
