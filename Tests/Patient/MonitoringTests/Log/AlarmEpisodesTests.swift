import Testing
import Vitals

@testable import Monitoring

@Suite("Episodes in the alarm log")
struct AlarmEpisodesTests {
    private func entry(
        _ second: Double, _ state: AlarmLogEntry.State, episode: Int = 1, run: Int64 = 0, kind: AlarmKind = .low,
        priority: AlarmPriority = .medium, vital: Vital? = .oxygenSaturation
    ) -> AlarmLogEntry {
        let change = AlarmLogEntry.Change(
            AlarmReport(
                id: episode, kind: kind, priority: priority, vital: vital,
                sinceWallMilliseconds: Ward.moment(second).wallMilliseconds, text: ""), state)
        return AlarmLogEntry(moment: Ward.moment(second), run: run, content: .change(change))
    }

    private func stretches(_ log: AlarmLog, now: Double = 1000, vital: Vital = .oxygenSaturation) -> [String] {
        log.episodes.stretches(of: vital, from: Ward.moment(0), to: Ward.moment(now), now: Ward.moment(now)).map {
            let start = $0.start.since(Ward.moment(0).monotonic).components.seconds
            let end = $0.end.since(Ward.moment(0).monotonic).components.seconds
            return "\($0.priority.rawValue) \(start)-\(end)"
        }
    }

    @Test("an episode lasts from its alarm to its end, whatever it goes through, with its highest priority")
    func whole() {
        let log = AlarmLog([
            entry(100, .active), entry(110, .acknowledged), entry(120, .suspended),
            entry(130, .active, priority: .high), entry(200, .ended),
        ])
        #expect(stretches(log) == ["high 100-200"])
        #expect(stretches(log, vital: .heartRate) == [])
    }

    @Test("an ongoing one lasts until now")
    func open() {
        #expect(stretches(AlarmLog([entry(100, .active)]), now: 400) == ["medium 100-400"])
    }

    @Test("one whose run ended before it lasts until the last that is known of that run")
    func otherRun() {
        let log = AlarmLog([
            entry(100, .active, run: 7), entry(160, .active, episode: 2, run: 7, kind: .linkLost, vital: nil),
            entry(500, .active, episode: 1),
        ])
        #expect(stretches(log, now: 600) == ["medium 100-160", "medium 500-600"])
    }

    @Test("alarms about the equipment are not about the patient")
    func technical() {
        #expect(stretches(AlarmLog([entry(100, .active, kind: .sensorOff, vital: .oxygenSaturation)])) == [])
    }

    @Test("another patient has no part in what was before")
    func newPatient() {
        var log = AlarmLog([entry(100, .active)])
        let action = AlarmLogEntry.Action(actor: .user, word: "new_patient", text: "")
        log.add(AlarmLogEntry(moment: Ward.moment(150), content: .action(action)))
        log.add(entry(150, .ended))
        #expect(stretches(log) == [])
    }

    @Test("what an earlier run left comes before, and memory is bounded")
    func bounded() {
        var log = AlarmLog()
        for number in 0..<5000 {
            log.add(entry(Double(number), .active, episode: number))
            log.add(entry(Double(number), .ended, episode: number))
        }
        #expect(log.episodes.of(.oxygenSaturation).count <= 2 * AlarmEpisodes.limit)
        #expect(stretches(log, now: 6000).last == "medium 4999-4999")
        log.prepend([entry(10, .active, episode: 1, run: 3), entry(20, .ended, episode: 1, run: 3)])
        #expect(log.entries.count <= AlarmLog.limit)
    }
}
