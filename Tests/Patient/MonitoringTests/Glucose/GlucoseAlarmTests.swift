import Testing
import Vitals

@testable import Monitoring

@Suite("Alarms of glucose")
struct GlucoseAlarmTests {
    private static let transmitter = SensorIdentity(
        address: "C0:52:49:00:00:45", name: "CGM 7", kind: .continuousGlucose)

    private func kinds(
        _ values: [Int], quality: Reading.Quality = .good, _ settings: MonitorSettings = MonitorSettings()
    ) -> [AlarmKind] {
        let start = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_767_322_800_000)
        var state = MonitorState(settings: settings, start: start)
        _ = state.apply(
            MonitorEvent(moment: start, kind: .connection(Self.transmitter, ConnectionState(phase: .ready))))
        for (place, value) in values.enumerated() {
            let moment = start.advanced(by: .seconds(place * 300 + 1))
            let reading = Reading(
                sensor: Self.transmitter, vital: .glucose, outcome: .measured(VitalValue(whole: value), quality),
                moment: moment)
            _ = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
        }
        return state.alarms.filter { $0.vital == .glucose && $0.state != .ended }.map(\.kind)
    }

    @Test(
        "have the limits that programs for transmitters have",
        arguments: [
            (49, [AlarmKind.severeLow, .low]), (50, [.low]), (69, [.low]), (70, []), (170, []), (171, [.high]),
            (250, [.high]), (251, [.severeHigh, .high]),
        ])
    func limits(value: Int, expected: [AlarmKind]) {
        #expect(Set(kinds([value])) == Set(expected))
    }

    @Test("are raised by a fast fall below 120, and by a fast rise above 160 only")
    func changes() {
        #expect(kinds([125, 112]) == [.fall])
        #expect(kinds([160, 140]).isEmpty)
        #expect(kinds([150, 165]) == [.rise])
        #expect(kinds([100, 140]).isEmpty)
        #expect(kinds([100, 95]).isEmpty)
    }

    @Test("are not raised by raw estimates, unless somebody asks for that")
    func estimates() {
        #expect(kinds([45], quality: .rawEstimate).isEmpty)
        var settings = MonitorSettings()
        settings.limits.judgesGlucoseEstimates = true
        #expect(Set(kinds([45], quality: .rawEstimate, settings)) == [.severeLow, .low])
    }

    @Test("are not raised by a raw estimate when limits change")
    func estimatesAgain() {
        let start = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_767_322_800_000)
        for (quality, expected) in [(Reading.Quality.rawEstimate, []), (.good, [AlarmKind.high])] {
            var state = MonitorState(settings: MonitorSettings(), start: start)
            let reading = Reading(
                sensor: Self.transmitter, vital: .glucose, outcome: .measured(VitalValue(whole: 150), quality),
                moment: start)
            _ = state.apply(MonitorEvent(moment: start, kind: .reading(reading)))
            let limit = AlarmLimit(VitalValue(whole: 140), .medium)
            _ = state.apply(.setLimit(.glucose, .high, limit), at: start.advanced(by: .seconds(1)))
            #expect(state.alarms.filter { $0.vital == .glucose }.map(\.kind) == expected)
        }
    }

    @Test(
        "are raised by every value of a calibrated sensor, also by one that it doubts",
        arguments: [Reading.Quality.good, .questionable, .malfunction, .calibrationWanted])
    func doubted(quality: Reading.Quality) {
        #expect(Set(kinds([45], quality: quality)) == [.severeLow, .low])
    }

    @Test("of a transmitter that was silent for half an hour say so, and its value is stale after a quarter")
    func missed() {
        let start = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_767_322_800_000)
        var state = MonitorState(start: start)
        _ = state.apply(
            MonitorEvent(moment: start, kind: .connection(Self.transmitter, ConnectionState(phase: .ready))))
        let reading = Reading(
            sensor: Self.transmitter, vital: .glucose, outcome: .measured(VitalValue(whole: 100), .good), moment: start)
        _ = state.apply(MonitorEvent(moment: start, kind: .reading(reading)))
        _ = state.apply(MonitorEvent(moment: start.advanced(by: .seconds(890)), kind: .tick))
        #expect(state[.glucose].condition.isMeasured)
        _ = state.apply(MonitorEvent(moment: start.advanced(by: .seconds(1810)), kind: .tick))
        #expect(state.alarms.map(\.kind) == [.silent], "\(state[.glucose].condition)")
    }
}
