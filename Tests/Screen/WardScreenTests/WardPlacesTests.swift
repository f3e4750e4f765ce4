import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

@Suite("The places of a ward")
struct WardPlacesTests {
    private static let alarm = CraftedWard.alarm(1, .severeLow, .oxygenSaturation, .high, text: "SpO2 70 % below 85")

    /// A bed at 70 %, which the ward asks and which answers.
    private func addBed(_ name: String, to crafted: inout CraftedWard) {
        for _ in 0..<2 { crafted.bed(name, [.oxygenSaturation: 7000], alarms: [Self.alarm]) }
    }

    private func status(_ crafted: CraftedWard) -> (text: String, condition: WardSummary.Condition) {
        let text = WardStatusLine(crafted.ward, glyphs: .ascii, timeZoneOffset: 0, now: crafted.moment).text
        return (text, WardSummary(crafted.ward).condition)
    }

    @Test(
        "are not first come: a bed with an alarm has one among 300 kept presences of the dead",
        arguments: [WardSession.State.offline(.closed), .offline(.lost), .online])
    func deadBeds(state: WardSession.State) {
        var crafted = CraftedWard()
        for number in 1...300 { crafted.presence("old-\(number)", state) }
        addBed("12", to: &crafted)
        #expect(crafted.ward.unplaced.heard.isEmpty)
        #expect(crafted.ward[CraftedWard.bed("12")]?.link == .live)
        let first = crafted.grid(80, 24)
        #expect(first[1].contains("bed 12 SpO2 70 % below 85"))
        let (text, condition) = status(crafted)
        #expect(condition == .highAlarm && text.contains("bed 12 SpO2 70 % below 85"))
        // The bed whose place it took is not forgotten.
        let summary = WardSummary(crafted.ward)
        #expect(summary.bedCount == 301)
        #expect(summary.closed.count + summary.notHeard.count == 300)
        crafted.pass(7000)
        if state != .offline(.closed) { #expect(status(crafted).condition == .notHeard) }
    }

    @Test("are left by beds that were closed first, then by lost ones, then by announced ones, and by no other")
    func order() {
        var crafted = CraftedWard()
        for number in 1...100 { crafted.presence("online-\(number)", .online) }
        for number in 1...100 { crafted.presence("lost-\(number)", .offline(.lost)) }
        for number in 1...50 { crafted.presence("closed-\(number)", .offline(.closed)) }
        for number in 1...6 { crafted.heartbeat("heard-\(number)") }
        func count(_ prefix: String) -> Int { crafted.ward.beds.count { $0.bed.bed.text.hasPrefix(prefix) } }
        for number in 1...250 {
            crafted.heartbeat("new-\(number)")
            #expect(count("closed") == max(0, 50 - number))
            #expect(count("lost") == min(100, max(0, 150 - number)))
            #expect(count("online") == min(100, max(0, 250 - number)))
            #expect(count("heard") == 6 && count("new") == number)
        }
        #expect(crafted.ward.unplaced.heard.isEmpty)
        // Beds that were heard and are lost keep their places: their last alarms would be forgotten.
        crafted.pass(10_000)
        crafted.heartbeat("late")
        #expect(crafted.ward.unplaced.heard == [CraftedWard.bed("late")])
        // A bed of these that its user closes is not lost.
        crafted.presence("heard-1", .offline(.closed))
        crafted.heartbeat("late")
        #expect(crafted.ward.unplaced.heard.isEmpty && crafted.ward[CraftedWard.bed("late")] != nil)
    }

    /// 256 beds that are heard.
    private func fullWard() -> CraftedWard {
        var crafted = CraftedWard()
        for number in 1...WardSettings.mostBeds { crafted.heartbeat("\(number)") }
        return crafted
    }

    @Test("that a bed does not find are the loudest thing: on every page, in the status, in lines, and as a sound")
    func noPlace() {
        var crafted = fullWard()
        crafted.bed("1", alarms: [Self.alarm])
        crafted.bed("1", alarms: [Self.alarm])
        var lines = WardLines()
        lines.write([], crafted.ward, of: nil, at: crafted.moment)
        lines.takeLines { _ in }
        crafted.effects = []
        crafted.heartbeat("300")
        #expect(crafted.ward.unplaced.heard.map(\.bed.text) == ["300"])
        for page in [WardScreenState.Page.beds, .bed(CraftedWard.bed("1")), .alarms, .log, .help] {
            for (columns, rows) in [(80, 24), (120, 40), (200, 60), (40, 3), (60, 1)] {
                var screen = WardScreenState()
                screen.page = page
                let picture = crafted.grid(columns, rows, .ascii, screen)
                // Before the alarm of high priority at bed 1.
                #expect(picture[rows < 3 ? 0 : 1].hasPrefix(" !!! NO PLACE FOR BED 300"), "\(columns) × \(rows)")
                if columns >= 80 {
                    #expect(picture[0].contains("1 WITHOUT A PLACE"))
                    #expect(picture[1].contains("not shown here: over 256 beds, divide the site"))
                }
            }
        }
        let (text, condition) = status(crafted)
        #expect(condition == .noPlace)
        #expect(
            text.hasPrefix("NO PLACE for beds that are heard: bed 300; their alarms are not known here; over 256 beds"))
        #expect(crafted.ward.soundCauses.contains { $0.episode.hasPrefix("no_place") && $0.priority == .high })
        #expect(crafted.ward.worstSoundingAlarm == nil)
        lines.write(crafted.effects, crafted.ward, of: CraftedWard.bed("300"), at: crafted.moment)
        let written = lines.takeLines { String(decoding: $0, as: UTF8.self) }
        #expect(written.contains(#""event":"bed","state":"no_place","ward":"north","bed":"300""#), "\(written)")
        #expect(written.contains(#""kind":"no_place","class":"technical","priority":"high","state":"active""#))
    }

    @Test("that are missing can be acknowledged, which a further bed without one ends, and silence makes them NO LINK")
    func acknowledgement() throws {
        var crafted = fullWard()
        crafted.bed("1", alarms: [Self.alarm])
        crafted.heartbeat("300")
        var screen = WardScreenState()
        screen.selection = CraftedWard.bed("1")
        func press() -> WardScreenWish? {
            screen.handle(.character("a"), crafted.ward, columns: 1, at: crafted.moment)
        }
        #expect(press() == .acknowledge(nil))
        _ = crafted.ward.acknowledgeOwnAlarms(of: nil, at: crafted.moment)
        #expect(crafted.ward.notice?.text == "NO PLACE FOR BED 300: acknowledged at this screen.")
        #expect(press() == .acknowledge(CraftedWard.bed("1")))
        #expect(!crafted.ward.soundCauses.contains { $0.episode.hasPrefix("no_place") })
        // It is never calm, and the header goes on saying it.
        #expect(WardSummary(crafted.ward).condition == .noPlace)
        #expect(crafted.grid(80, 24)[0].contains("1 WITHOUT A PLACE"))
        crafted.heartbeat("301")
        #expect(crafted.ward.soundCauses.contains { $0.episode.hasPrefix("no_place") })
        #expect(crafted.ward.ownAlarms.first?.text == "NO PLACE FOR 2 BEDS")
        crafted.pass(7000)
        #expect(crafted.ward.unplaced.heard.isEmpty)
        let texts = crafted.ward.ownAlarms.filter { $0.bed == nil }.map(\.text)
        #expect(texts == ["NO LINK TO 2 BEDS WITHOUT A PLACE"])
        crafted.heartbeat("300")
        #expect(crafted.ward.unplaced.heard.count == 1 && crafted.ward.unplaced.lost.count == 1)
    }

    @Test("that are missing after the broker was lost are missed again, and nothing is forgotten meanwhile")
    func broker() {
        var crafted = fullWard()
        crafted.heartbeat("300")
        crafted.presence("dead", .offline(.lost))
        crafted.pass(100)
        _ = crafted.ward.brokerChanged(.lost("it does not answer"), at: crafted.moment)
        #expect(crafted.ward.ownAlarms.map(\.kind) == [.noBroker])
        _ = crafted.ward.brokerChanged(.connected, at: crafted.moment)
        #expect(crafted.ward.ownAlarms.map(\.kind) == [.noLink])
        #expect(!crafted.ward.isSettled(at: crafted.moment.advanced(by: .seconds(3))))
        crafted.heartbeat("300")
        #expect(crafted.ward.ownAlarms.map(\.kind) == [.noPlace, .noLink])
    }

    @Test("are remembered within bounds in a flood of names, of which the heard ones matter most")
    func flood() {
        var crafted = fullWard()
        for number in 1...2000 { crafted.presence("old-\(number)", .offline(.closed)) }
        #expect(crafted.ward.unplaced.count == UnplacedBeds.most && crafted.ward.unplaced.isIncomplete)
        for number in 1...700 { crafted.presence("lost-\(number)", .offline(.lost)) }
        for number in 1...2000 { crafted.heartbeat("x\(number)") }
        let unplaced = crafted.ward.unplaced
        #expect(unplaced.count == UnplacedBeds.most && unplaced.heard.count == UnplacedBeds.most)
        #expect(unplaced.isIncomplete && unplaced.lost.isEmpty && unplaced.closed.isEmpty)
        #expect(crafted.ward.ownAlarms.first?.text == "NO PLACE FOR MORE THAN 1024 BEDS")
    }

    @Test(
        "are given in whatever order presences come, so that a bed with an alarm is shown or its lack is said",
        .computing,
        arguments: 0..<6)
    func whateverOrder(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var crafted = CraftedWard()
        // In every other story all of them fit, and only the dead and the flood could turn one away.
        let liveCount = seed % 2 == 0 ? 120 : 290
        let flooding = seed % 3 == 0 ? 60 : seed % 3 == 1 ? 400 : 0
        var heard: [String: Int64] = [:]
        var everHeard: Set<String> = []
        var lost: Set<String> = []
        for step in 0..<1200 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let number = Int.random(in: 0..<400, using: &random)
                let states: [WardSession.State] = [.offline(.closed), .offline(.lost), .online]
                crafted.presence("old-\(number)", states[number % 3])
                if number % 3 == 1 { lost.insert("old-\(number)") }
            case 4 where flooding > 0:
                let name = "x\(Int.random(in: 0..<flooding, using: &random))"
                crafted.heartbeat(name)
                everHeard.insert(name)
            case 9: crafted.pass(Int64.random(in: 10...300, using: &random))
            default:
                let name = "\(Int.random(in: 1...liveCount, using: &random))"
                addBed(name, to: &crafted)
                heard[name] = crafted.now
                everHeard.insert(name)
            }
            let alive = heard.filter { crafted.now - $0.value < 5900 }.keys
            let unplaced = Set(crafted.ward.unplaced.heard)
            #expect(crafted.ward.beds.count <= WardSettings.mostBeds)
            if everHeard.count <= WardSettings.mostBeds { #expect(unplaced.isEmpty, "step \(step)") }
            for name in alive {
                let bed = CraftedWard.bed(name)
                #expect(
                    crafted.ward[bed]?.alarms.isEmpty == false || unplaced.contains(bed), "step \(step): bed \(name)")
            }
            guard step % 20 == 0, !alive.isEmpty else { continue }
            let (text, condition) = status(crafted)
            #expect(condition != .calm && condition != .alarm && !text.hasSuffix("no alarms"), "step \(step): \(text)")
            #expect((condition == .noPlace) == !unplaced.isEmpty && text.hasPrefix("NO PLACE") == !unplaced.isEmpty)
            let line = crafted.grid(80, 24, .ascii)[1]
            #expect(line.hasPrefix(unplaced.isEmpty ? " !!! bed " : " !!! NO PLACE FOR "), "step \(step): \(line)")
        }
        let summary = WardSummary(crafted.ward)
        #expect(Set(summary.notHeard).isSuperset(of: lost.map { CraftedWard.bed($0) }))
        #expect(crafted.ward.beds.map(\.bed) == crafted.ward.beds.map(\.bed).sorted())
        for bed in crafted.ward.beds { #expect(crafted.ward[bed.bed]?.bed == bed.bed) }
    }
}
