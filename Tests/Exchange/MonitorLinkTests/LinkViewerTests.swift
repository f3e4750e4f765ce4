import Monitoring
import Testing
import Vitals

@testable import MonitorLink

@Suite("Somebody who looks at a monitor from elsewhere")
struct LinkViewerTests {
    private var viewer = LinkViewer(at: moment(0))
    private static let hello = MonitorHello(version: "1.2.3", command: "record", process: 4711)
    private static let snapshot = MonitorSnapshot(
        state: MonitorState(start: moment(0)), log: [], provenance: .simulated, isRecording: true)

    private static func moment(_ seconds: Double) -> Moment {
        RandomInputs.moment(tenths: Int64(seconds * 10))
    }

    private mutating func receive(_ line: MonitorLine, at second: Double) throws -> [LinkViewer.News] {
        viewer.received(try LinkCoder.line(line), at: Self.moment(second))
    }

    private mutating func attach(at second: Double) throws {
        viewer.connected(at: Self.moment(second))
        #expect(try receive(.hello(Self.hello), at: second) == [])
        #expect(try receive(.snapshot(Self.snapshot), at: second) == [.snapshot(Self.snapshot)])
    }

    @Test("receives the monitor's identity, its whole state, and then each input")
    mutating func ordinary() throws {
        try attach(at: 0.1)
        #expect(viewer.monitor?.name == "bedside record, process 4711")
        #expect(viewer.trouble == nil)
        let input = MonitorInput.event(MonitorEvent(moment: Self.moment(0.5), kind: .tick))
        #expect(try receive(.input(input), at: 0.5) == [.input(input)])
        #expect(try receive(.notice("Kept."), at: 0.6) == [.notice("Kept.")])
    }

    @Test("knows at once that the monitor has ended, tries each second, and continues with all that a new one knows")
    mutating func ended() throws {
        try attach(at: 0)
        #expect(viewer.disconnected(at: Self.moment(1)) == [.lost("has ended")])
        #expect(viewer.trouble?.reason == "has ended")
        #expect(viewer.timePassed(at: Self.moment(1.9)) == [])
        for second in [2.0, 3.0, 4.0] {
            #expect(viewer.timePassed(at: Self.moment(second)).contains(.connect))
            #expect(viewer.disconnected(at: Self.moment(second)).allSatisfy { $0 == .lost("has ended") })
        }
        try attach(at: 5)
        #expect(viewer.trouble == nil)
    }

    @Test("notices by its own time that a monitor says nothing any more, though the connection is there")
    mutating func hung() throws {
        try attach(at: 0)
        for second in 1...5 { #expect(try receive(.alive(Self.moment(Double(second))), at: Double(second)) == []) }
        #expect(viewer.timePassed(at: Self.moment(7.9)) == [])
        #expect(viewer.deadline == Self.moment(8))
        #expect(viewer.timePassed(at: Self.moment(8)) == [.lost("does not answer"), .connect])
        // What comes late without everything before it is of no use.
        let late = MonitorInput.event(MonitorEvent(moment: Self.moment(5), kind: .tick))
        #expect(try receive(.input(late), at: 8.5) == [])
    }

    @Test("that finds no monitor says so once, and looks on quietly")
    mutating func none() {
        var reports: [LinkViewer.News] = []
        for second in 0..<60 {
            let now = Self.moment(Double(second))
            let news = viewer.timePassed(at: now)
            reports += news.filter { $0 != .connect }
            if second == 0 || news.contains(.connect) { reports += viewer.disconnected("does not run", at: now) }
        }
        #expect(reports == [.lost("does not run")])
    }

    @Test("says why the monitor does not want it, and not that the monitor has ended; then tries again")
    mutating func noPlace() throws {
        viewer.connected(at: Self.moment(0))
        #expect(try receive(.hello(Self.hello), at: 0) == [])
        #expect(try receive(.refused("has no place for another view"), at: 0) == [])
        #expect(viewer.disconnected(at: Self.moment(0)) == [.lost("has no place for another view")])
        #expect(viewer.timePassed(at: Self.moment(1)) == [.connect])
        try attach(at: 1)
        #expect(viewer.disconnected(at: Self.moment(2)) == [.lost("has ended")])
    }

    @Test("uses the given reason for a monitor that is silent because it is stopped")
    mutating func stopped() throws {
        try attach(at: 0)
        let news = viewer.timePassed(at: Self.moment(3), silence: "does not answer: it is stopped")
        #expect(news == [.lost("does not answer: it is stopped"), .connect])
    }

    @Test("does not show a state whose parts do not fit together")
    mutating func incoherent() throws {
        try attach(at: 0)
        let line = String(decoding: try LinkCoder.line(MonitorLine.snapshot(Self.snapshot)), as: UTF8.self)
        for (part, other) in [
            ("\"nextOrdinal\":0", "\"nextOrdinal\":-1"), ("\"lastID\":0", "\"lastID\":9223372036854775807"),
            ("\"sensorLimit\":", "\"sensorLimit\":-"), ("\"vital\":\"heart_rate\"", "\"vital\":\"spo2\""),
            ("\"earliestRow\":0", "\"earliestRow\":7"),
        ] {
            let changed = line.replacing(part, with: other)
            #expect(changed != line, "\(part)")
            let news = viewer.received(Array(changed.utf8), at: Self.moment(1))
            guard case .refused? = news.first else {
                Issue.record("\(other) was taken")
                continue
            }
        }
    }

    @Test("does not guess at what another version says")
    mutating func version() throws {
        viewer.connected(at: Self.moment(0))
        var hello = Self.hello
        hello.form = "7-abc"
        let news = try receive(.hello(hello), at: 0)
        guard case .refused(let sentence) = news.first else {
            Issue.record("not refused: \(news)")
            return
        }
        #expect(sentence.contains("1.2.3") && sentence.contains("process 4711"))
        // Fields that a later version adds to its first line do no harm.
        let more = #"{"hello":{"_0":{"form":"8","version":"2","command":"record","process":1,"new":[{}]}}}"#
        #expect(viewer.received(Array(more.utf8), at: Self.moment(0)).count == 1)
        #expect(!viewer.received(Array("{}".utf8), at: Self.moment(0)).isEmpty)
    }

    @Test("has old values as lost and an alarm of high priority when the monitor is gone")
    func lostState() throws {
        let inputs = RandomInputs(seed: 5)
        var state = MonitorState(settings: RandomInputs.settings, start: inputs.now)
        let reading = Reading(
            sensor: RandomInputs.sensors[0], vital: .heartRate, outcome: .measured(VitalValue(whole: 77), .good),
            moment: inputs.now)
        _ = state.apply(
            .event(MonitorEvent(moment: inputs.now, kind: .connection(reading.sensor, ConnectionState(phase: .ready)))))
        _ = state.apply(.event(MonitorEvent(moment: inputs.now, kind: .reading(reading))))
        #expect(state[.heartRate].condition.lastSample?.value == VitalValue(whole: 77))
        let effects = state.loseMonitor("bedside record has ended; values are old", at: inputs.now)
        #expect(state.worstAlarm?.kind == .monitorLost)
        #expect(state.worstAlarm?.text == "No monitor: bedside record has ended; values are old")
        #expect(
            effects.contains { effect in
                if case .alarm(let alarm, _) = effect {
                    alarm.kind == .monitorLost && alarm.priority == .high
                } else {
                    false
                }
            })
        for seconds in [0, 1, 10, 1000] {
            let moment = inputs.now.advanced(by: .seconds(seconds))
            _ = state.apply(.event(MonitorEvent(moment: moment, kind: .tick)))
            for vital in state.vitals {
                switch vital.condition {
                case .lost, .neverSeen: break
                default: Issue.record("\(vital.vital) is \(vital.condition) after \(seconds) s")
                }
            }
        }
    }
}
