import Testing
import Vitals

@testable import Monitoring

@Suite("Values that come several times")
struct ValueCopiesTests {
    /// Values of a CORE, each several times within a few milliseconds.
    private func stream(_ ward: inout Ward, times: Int, _ values: [Int], from second: Double) -> [String] {
        var summaries: [String] = []
        for (index, value) in values.enumerated() {
            summaries += ward.stream(
                .bodyTemperature, value, from: .core,
                at: (0..<times).map { second + Double(index) * 10 + Double($0) * 0.002 })
        }
        return summaries
    }

    @Test("are said of the sensor after some of them, and no more once they come once")
    func reported() throws {
        var ward = Ward()
        _ = stream(&ward, times: 6, [3700, 3700, 3701], from: 0)
        #expect(try !#require(ward.state.sensors.first).sendsCopies)
        _ = stream(&ward, times: 6, [3700], from: 30)
        #expect(try #require(ward.state.sensors.first).sendsCopies)
        _ = stream(&ward, times: 1, [3700, 3700, 3700, 3700, 3701], from: 40)
        #expect(try !#require(ward.state.sensors.first).sendsCopies)
    }

    @Test("do not confirm a fever, and count once", arguments: [1, 6])
    func confirmations(times: Int) {
        var ward = Ward(settings: .withoutLimits)
        let values = [3700, 3700, 3900]
        let summaries = stream(&ward, times: times, values, from: 0)
        #expect(summaries.filter { $0.contains("active") } == [])
        #expect(ward.state[.bodyTemperature].valueCount == values.count)
        #expect(ward.state[.bodyTemperature].interval == .seconds(10))
        #expect(stream(&ward, times: times, [3900, 3900], from: 30).contains { $0.contains("fever_single active") })
    }

    @Test("are none when a sensor sends equal values at its own pace")
    func equalValues() throws {
        var ward = Ward()
        ward.stream(.heartRate, 7000, from: .strap, at: stride(from: 0, to: 20, by: 0.25))
        #expect(try !#require(ward.state.sensors.first).sendsCopies)
        #expect(ward.state[.heartRate].valueCount == 80)
    }
}
