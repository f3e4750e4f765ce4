import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("A discovery that hears nothing")
struct SilentDiscoveryTests {
    @Test("is restarted after 20 s, then less and less often, until something is heard")
    func restarts() {
        var discovery = SilentDiscovery()
        #expect(discovery.isOngoing(true, at: at(0)) == at(20))
        #expect(!discovery.hearsNothing)
        #expect(discovery.evaluate(at: at(20)) == .restart)
        #expect(discovery.hearsNothing)
        #expect(discovery.evaluate(at: at(20)) == .wait(until: at(60)))
        #expect(discovery.evaluate(at: at(60)) == .restart)
        #expect(discovery.evaluate(at: at(60)) == .wait(until: at(140)))
        #expect(discovery.heard(at: at(100)) == true)
        #expect(!discovery.hearsNothing)
        #expect(discovery.heard(at: at(101)) == false)
        #expect(discovery.evaluate(at: at(110)) == .wait(until: at(121)))
    }

    @Test("is not evaluated while none runs, and again when one runs")
    func pauses() {
        var discovery = SilentDiscovery()
        #expect(discovery.isOngoing(true, at: at(0)) == at(20))
        #expect(discovery.isOngoing(true, at: at(5)) == nil)
        #expect(discovery.isOngoing(false, at: at(10)) == nil)
        #expect(discovery.evaluate(at: at(20)) == nil)
        #expect(discovery.isOngoing(true, at: at(30)) == at(50))
        #expect(discovery.evaluate(at: at(40)) == .wait(until: at(50)))
    }

    @Test("is restarted at least every five minutes")
    func bound() {
        var discovery = SilentDiscovery()
        _ = discovery.isOngoing(true, at: at(0))
        var restarts = 0
        for second in 0..<3600 where discovery.evaluate(at: at(Double(second))) == .restart { restarts += 1 }
        #expect((14...17).contains(restarts))
    }
}
