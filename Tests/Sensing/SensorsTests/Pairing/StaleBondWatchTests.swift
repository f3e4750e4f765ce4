import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("A bond that the sensor has forgotten")
struct StaleBondWatchTests {
    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(monotonicNanoseconds: milliseconds * 1_000_000, wallMilliseconds: 0)
    }

    private func falls(_ watch: inout StaleBondWatch, isPaired: Bool, at moment: Moment) -> Bool {
        watch.linkDown(isPaired: isPaired, at: moment)
    }

    @Test("is recognised by the second link in a row that falls before its services are known")
    func recognised() {
        var watch = StaleBondWatch()
        watch.linkUp(at: moment(0))
        #expect(!falls(&watch, isPaired: true, at: moment(140)))
        watch.linkUp(at: moment(450))
        #expect(falls(&watch, isPaired: true, at: moment(590)))
    }

    @Test("is no explanation for a sensor that is not paired, a link that worked or one that lasted")
    func otherwise() {
        var watch = StaleBondWatch()
        for start in stride(from: Int64(0), to: 4000, by: 1000) {
            watch.linkUp(at: moment(start))
            #expect(!falls(&watch, isPaired: false, at: moment(start + 140)))
            watch.linkUp(at: moment(start + 200))
            watch.servicesResolved()
            #expect(!falls(&watch, isPaired: true, at: moment(start + 400)))
        }
        watch.linkUp(at: moment(10_000))
        #expect(!falls(&watch, isPaired: true, at: moment(16_000)))
        #expect(!falls(&watch, isPaired: true, at: moment(16_001)))
    }
}
