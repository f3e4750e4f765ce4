import Appearance
import Dashboard
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

/// A bed is silent only while a ward screen says again and again that it sounds.
@Suite("A ward screen that sounds for a silent bed")
struct SoundedBedTests {
    /// What the ward has reported to the bed since the last look.
    private func reports(_ small: inout SmallWard) -> [WardListener] {
        defer { small.effects = [] }
        return small.effects.compactMap {
            guard case .publish(let topic, .listen(let listener)) = $0, topic.bed == small.bed else { return nil }
            return listener
        }
    }

    /// A bed that wants to be silent, at a ward whose sound is certain.
    private func asking() throws -> SmallWard {
        var small = try SmallWard()
        small.pass(6)
        small.monitor.isListenerWanted = true
        small.handle(small.ward.setSounding(true, at: small.moment))
        small.effects = []
        return small
    }

    private func text(_ small: SmallWard, _ columns: Int = 80, _ rows: Int = 24) -> String {
        var screen = WardScreenState()
        screen.sound = SoundHere(.speakers)
        let grid = drawWard(small.ward, screen, size: (columns, rows), now: small.moment)
        return (0..<grid.rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("answers the challenge of each heartbeat, and is not asked before the bed asks")
    func answers() throws {
        var small = try asking()
        #expect(!small.ward.isAskedToSound)
        small.pass(2)
        #expect(small.ward.isAskedToSound)
        let first = reports(&small)
        #expect(first.map(\.challenge) == [small.monitor.challenge] && first.first?.session == small.state?.current)
        small.pass(10)
        let more = reports(&small)
        #expect(
            more.count == 5 && Set(more.map(\.challenge)).count == 5 && more.last?.challenge == small.monitor.challenge)
        small.monitor.isListenerWanted = false
        small.pass(2)
        _ = reports(&small)
        small.pass(10)
        #expect(reports(&small).isEmpty)
        #expect(!small.ward.isAskedToSound)
    }

    @Test("says so at once when it does not sound any more, and answers nothing then")
    func mute() throws {
        var small = try asking()
        small.pass(4)
        _ = reports(&small)
        small.handle(small.ward.setSounding(false, at: small.moment))
        #expect(reports(&small).map(\.challenge) == [nil])
        small.handle(small.ward.setSounding(false, at: small.moment))
        small.pass(6)
        #expect(reports(&small).isEmpty)
        // The newest challenge is answered as soon as it sounds.
        small.handle(small.ward.setSounding(true, at: small.moment))
        #expect(reports(&small).map(\.challenge) == [small.monitor.challenge])
    }

    @Test("answers nothing while its picture of the bed's alarms is not the bed's, and where the bed is not heard")
    func disagreeing() throws {
        var small = try asking()
        // The state of each alarm is sent again after ten seconds, and then after ten more.
        small.pass(6)
        _ = reports(&small)
        // An alarm whose message is lost: the bed's digest names it.
        small.monitor.alarms[9] = CraftedWard.alarm(9, .high, .heartRate, .high)
        small.answerDelay = 3_600_000
        small.pass(6)
        #expect(reports(&small).isEmpty)
        small.monitor.alarms = [:]
        small.pass(4)
        #expect(!reports(&small).isEmpty)
        small.pass(10, isHeard: false)
        #expect(reports(&small).isEmpty && small.ward.soundedBeds.isEmpty)
    }

    @Test("shows for which beds only it sounds, and until when, in every size; another screen's bed names that screen")
    func shown() throws {
        var small = try asking()
        small.monitor.sound = .silent(secondsLeft: 3600, by: "WARD-PC")
        #expect(text(small).contains("Alarms sound at the bed"))
        small.pass(4)
        #expect(small.ward.soundedBeds.map(\.bed) == [small.bed])
        for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
            let text = text(small, columns, rows)
            #expect(text.contains("ONLY THIS SCREEN SOUNDS for bed 12 until "), "\(columns)")
            #expect(text.contains("SOUNDED HERE"), "\(columns)")
            #expect(!text.contains("Alarms sound at the bed"), "\(columns)")
        }
        small.handle(small.ward.setSounding(false, at: small.moment))
        small.monitor.sound = .silent(secondsLeft: 3500, by: "OTHER-PC")
        small.pass(2)
        #expect(small.ward.soundedBeds.isEmpty)
        #expect(text(small, 120, 40).contains("sounded by OTHER-PC"))
    }
}
