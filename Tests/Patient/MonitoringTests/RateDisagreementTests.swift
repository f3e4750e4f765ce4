import Testing
import Vitals

@testable import Monitoring

@Suite("Strap and oximeter disagree")
struct RateDisagreementTests {
    /// Streams both rates in beats a minute, once a second.
    private func stream(_ ward: inout Ward, heart: Int, pulse: Int, _ seconds: ClosedRange<Int>) {
        for second in seconds {
            ward.measure(.heartRate, heart * 100, from: .strap, at: Double(second))
            ward.measure(.pulseRate, pulse * 100, from: .oximeter, at: Double(second))
        }
    }

    @Test("when they are more than ten beats and a tenth apart for half a minute")
    func reported() {
        var ward = Ward()
        stream(&ward, heart: 82, pulse: 60, 1...30)
        #expect(ward.state.rateDisagreement(at: Ward.moment(30.9)) == nil)
        #expect(ward.state.rateDisagreement(at: Ward.moment(31))?.pulseRate.value == VitalValue(whole: 60))
        #expect(ward.state.rateDisagreement(at: Ward.moment(31))?.since == Ward.moment(1))
    }

    @Test(
        "and not when they are as close as two good meters may be",
        arguments: [(72, 62), (62, 72), (72, 72), (150, 135), (200, 181)])
    func tolerated(heart: Int, pulse: Int) {
        var ward = Ward()
        stream(&ward, heart: heart, pulse: pulse, 1...90)
        #expect(ward.state.rateDisagreement(at: Ward.moment(90)) == nil)
    }

    @Test("one pair within the tolerance restarts the half minute")
    func interrupted() {
        var ward = Ward()
        stream(&ward, heart: 82, pulse: 60, 1...25)
        stream(&ward, heart: 70, pulse: 66, 26...26)
        stream(&ward, heart: 82, pulse: 60, 27...50)
        #expect(ward.state.rateDisagreement(at: Ward.moment(50)) == nil)
        stream(&ward, heart: 82, pulse: 60, 51...58)
        #expect(ward.state.rateDisagreement(at: Ward.moment(58)) != nil)
        stream(&ward, heart: 62, pulse: 60, 59...59)
        #expect(ward.state.rateDisagreement(at: Ward.moment(59)) == nil)
    }

    @Test("a rate that is not measured disagrees with nothing")
    func absent() {
        var ward = Ward()
        stream(&ward, heart: 82, pulse: 60, 1...40)
        ward.miss(.pulseRate, .offBody, from: .oximeter, at: 41, expecting: ["sensor_off pending low"])
        #expect(ward.state.rateDisagreement(at: Ward.moment(41)) == nil)
    }
}
