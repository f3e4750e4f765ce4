import Monitoring
import Testing
import Vitals

@Suite("The alarm log")
struct AlarmLogTests {
    private func entry(_ number: Int, _ change: (inout AlarmLogEntry.Change) -> Void = { _ in }) -> AlarmLogEntry {
        var made = AlarmLogEntry.Change(
            AlarmReport(
                id: number, kind: .low, priority: .medium,
                sensor: SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter),
                vital: .oxygenSaturation, sinceWallMilliseconds: 0, text: "SpO₂ 88 < 90 · e-Oximeter"), .active)
        change(&made)
        let moment = Moment(monotonicNanoseconds: Int64(number), wallMilliseconds: Int64(number))
        return AlarmLogEntry(moment: moment, content: .change(made))
    }

    private func action(_ number: Int) -> AlarmLogEntry {
        let moment = Moment(monotonicNanoseconds: Int64(number), wallMilliseconds: Int64(number))
        return AlarmLogEntry(
            moment: moment, content: .action(.init(actor: .user, word: "audio_paused", text: "sound paused")))
    }

    @Test("shows the newest entry first and keeps a limited number")
    func bounded() {
        var log = AlarmLog()
        for number in 1...(AlarmLog.limit * 2) { log.add(entry(number)) }
        #expect(log.entries.count >= AlarmLog.limit)
        #expect(log.entries.count <= AlarmLog.limit + AlarmLog.limit / 4)
        #expect(log.filtered(AlarmLogFilter()).first == entry(AlarmLog.limit * 2))
        #expect(log.entries.last == entry(AlarmLog.limit * 2))
    }

    @Test("puts what earlier runs left before the entries of this one")
    func earlier() {
        var log = AlarmLog()
        log.add(entry(2))
        log.prepend([entry(1)])
        #expect(log.entries == [entry(1), entry(2)])
    }

    @Test("can be filtered by class, priority, condition, text, and for what people did")
    func filtering() {
        let technical = entry(2) { ($0.kindName, $0.alarmClass) = (AlarmKind.linkLost.rawValue, .technical) }
        let high = entry(3) { $0.priority = .high }
        let all = AlarmLog([entry(1), technical, high, action(4)])
        var filter = AlarmLogFilter()
        filter.alarmClass = .technical
        #expect(all.filtered(filter) == [technical])
        filter = AlarmLogFilter()
        filter.leastPriority = .high
        #expect(all.filtered(filter) == [high])
        filter = AlarmLogFilter()
        filter.kind = .low
        #expect(all.filtered(filter) == [high, entry(1)])
        filter = AlarmLogFilter()
        filter.isActionsOnly = true
        #expect(all.filtered(filter) == [action(4)])
        filter = AlarmLogFilter()
        filter.text = "OXIMETER"
        #expect(all.filtered(filter) == [high, technical, entry(1)])
        filter.text = "paused"
        #expect(all.filtered(filter) == [action(4)])
    }
}
