import Monitoring
import MonitorLink
import TestSupport
import Testing
import Vitals

/// A monitor sends all that it knows to another program.
@Suite("The state as a text")
struct SnapshotTests {
    @Test("is exactly the state, whatever has happened", .computing, arguments: 0..<8)
    func exactly(seed: Int) throws {
        var inputs = RandomInputs(seed: seed)
        var state = MonitorState(settings: RandomInputs.settings, start: inputs.now)
        for step in 0..<400 {
            _ = state.apply(inputs.next(state))
            guard step % 40 == 0 || step == 399 else { continue }
            let line = try LinkCoder.line(state)
            #expect(try LinkCoder.value(MonitorState.self, line) == state)
            #expect(state.isCoherent)
        }
    }

    @Test("continues like the original with the same inputs", .computing, arguments: 0..<8)
    func together(seed: Int) throws {
        var inputs = RandomInputs(seed: 100 + seed)
        var monitor = MonitorState(settings: RandomInputs.settings, start: inputs.now)
        for _ in 0..<Int.random(in: 0..<200) { _ = monitor.apply(inputs.next(monitor)) }
        var viewer = try LinkCoder.value(MonitorState.self, LinkCoder.line(monitor))
        for _ in 0..<300 {
            let input = inputs.next(monitor)
            let received = try LinkCoder.value(MonitorInput.self, LinkCoder.line(input))
            #expect(received == input)
            #expect(viewer.apply(received) == monitor.apply(input))
        }
        #expect(viewer == monitor)
    }

    @Test("has two days of trends in less than a megabyte for each vital, and on one line of harmless bytes")
    func size() throws {
        var state = MonitorState(start: RandomInputs.moment(tenths: 0))
        for minute in Int64(0)..<2880 {
            let moment = RandomInputs.moment(tenths: minute * 600)
            let reading = Reading(
                sensor: RandomInputs.sensors[0], vital: .heartRate,
                outcome: .measured(VitalValue(whole: 60 + Int(minute % 50)), .good), moment: moment)
            _ = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
        }
        let line = try LinkCoder.line(state)
        #expect(line.count < 1 << 20)
        #expect(line.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(try LinkCoder.value(MonitorState.self, line) == state)
    }
}
