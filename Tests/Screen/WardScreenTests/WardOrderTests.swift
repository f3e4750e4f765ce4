import Appearance
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

@Suite("What is seen first in a ward")
struct WardOrderTests {
    /// Alarms in the order in which they must be seen.
    private static let alarms: [(AlarmKind, Vital?, AlarmPriority)] = [
        (.severeLow, .oxygenSaturation, .high), (.severeHigh, .heartRate, .high),
        (.feverSingle, .bodyTemperature, .high),
        (.severeHigh, .bodyTemperature, .high), (.feverSustained, .bodyTemperature, .medium),
        (.low, .oxygenSaturation, .medium), (.batteryLow, nil, .low),
    ]

    private func shuffled(_ seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        return Self.alarms.indices.shuffled(using: &random)
    }

    @Test("at one bed is what the bed itself shows first, in whatever order alarms came", arguments: 0..<20)
    func alarmsOfABed(seed: Int) {
        var crafted = CraftedWard()
        let places = shuffled(UInt64(seed))
        let alarms = places.enumerated().map { id, place in
            CraftedWard.alarm(id + 1, Self.alarms[place].0, Self.alarms[place].1, Self.alarms[place].2)
        }
        let bed = crafted.bed("1", alarms: alarms)
        let shown = crafted.ward[bed]?.alarms.map { "\($0.kindName) \($0.priority.rawValue)" }
        #expect(shown == Self.alarms.map { "\($0.0.rawValue) \($0.2.rawValue)" })
    }

    @Test(
        "among beds, in the alarm line and in the list of alarms is the same, whatever their names", arguments: 0..<20)
    func beds(seed: Int) {
        var crafted = CraftedWard()
        let places = shuffled(UInt64(seed))
        for (number, place) in places.enumerated() {
            let (kind, vital, priority) = Self.alarms[place]
            crafted.bed(
                "\(number + 1)", [.heartRate: 7200],
                alarms: [
                    CraftedWard.alarm(1, .batteryLow, nil, .low),
                    CraftedWard.alarm(2, kind, vital, priority, text: "Alarm \(place)"),
                ])
        }
        let expected = Self.alarms.indices.map { place in
            "\((places.firstIndex(of: place) ?? 0) + 1)"
        }
        #expect(WardScreenState().shownBeds(crafted.ward).map(\.bed.bed.text) == expected)
        #expect(crafted.grid(80, 24)[1].contains("Alarm 0"))
        var screen = WardScreenState()
        screen.page = .alarms
        let list = crafted.grid(80, 30, .braille, screen).filter { $0.contains("Alarm ") }
        #expect(list.dropFirst().prefix(6).map { $0.contains("Alarm") } == Array(repeating: true, count: 6))
        #expect(list.dropFirst().first?.contains("Alarm 0") == true && list.last?.contains("Alarm 6") == true)
        #expect(crafted.ward.worstSoundingAlarm?.text == "Alarm 0")
    }

    @Test("is never a lower priority before a higher one")
    func priorities() {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<200 {
            let alarms = (0..<6).map { id in
                CraftedWard.alarm(
                    id, AlarmKind.allCases.randomElement(using: &random) ?? .low,
                    Vital.allCases.randomElement(using: &random),
                    AlarmPriority.allCases.randomElement(using: &random) ?? .low)
            }
            let sorted = alarms.shuffled(using: &random).sorted { $0.isWorse(than: $1) }
            for (one, next) in zip(sorted, sorted.dropFirst()) {
                #expect(one.priority > next.priority || one.priority == next.priority && one.urgency <= next.urgency)
            }
        }
    }

    @Test("stays the bed that was answered, so that the next press is for no other one")
    func answered() throws {
        for key in ["a", "g", "G"] {
            var crafted = CraftedWard()
            for number in 1...4 {
                crafted.bed("\(number)", alarms: [CraftedWard.alarm(1, .severeLow, .oxygenSaturation, .high)])
            }
            var screen = WardScreenState()
            screen.drew(screen.selectedBed(crafted.ward), at: crafted.moment)
            crafted.now += 1000
            let first = try #require(screen.selectedBed(crafted.ward))
            let scalar = try #require(key.unicodeScalars.first)
            func bed(_ wish: WardScreenWish?) -> WardBed? {
                switch wish {
                case .acknowledge(let bed): bed
                case .going(let bed), .notGoing(let bed): bed
                default: nil
                }
            }
            #expect(bed(screen.handle(.character(scalar), crafted.ward, columns: 1, at: crafted.moment)) == first)
            // The bed tells that it was answered, and goes down in the order.
            crafted.bed(
                first.bed.text,
                alarms: [CraftedWard.alarm(1, .severeLow, .oxygenSaturation, .high, isAcknowledged: true)])
            #expect(screen.shownBeds(crafted.ward).first?.bed != first)
            screen.drew(screen.selectedBed(crafted.ward), at: crafted.moment)
            for later in [0, 100, 5000] {
                crafted.now += Int64(later)
                #expect(bed(screen.handle(.character(scalar), crafted.ward, columns: 1, at: crafted.moment)) == first)
            }
        }
    }
}

@Suite("Numbers of a ward")
struct WardNumberTests {
    @Test("of beside vitals are apart from each other at every size, so that two are never read as one", .computing)
    func gaps() {
        for beds in [1, 4, 6, 12] {
            var crafted = CraftedWard()
            for number in 1...beds {
                crafted.bed(
                    "\(number)",
                    [.heartRate: 10_700, .oxygenSaturation: 8400, .bodyTemperature: 3940, .pulseRate: 11_800])
            }
            for columns in 26...200 {
                for rows in [10, 24, 40, 60] {
                    for line in crafted.grid(columns, rows, .ascii) {
                        #expect(!line.contains("10784") && !line.contains("8439") && !line.contains("07 84"), "\(line)")
                        // No number is cut.
                        for part in line.split(separator: " ") where part.first?.isNumber == true {
                            #expect(
                                ["107", "84", "39.4", "118", "1", "100"].contains(String(part)) || part.contains(":")
                                    || part.count <= 2,
                                "\(columns) × \(rows): \(line)")
                        }
                    }
                }
            }
        }
    }

    @Test("of simulated and replayed beds are labelled at every size, in every line", .computing)
    func labelled() {
        for isReplay in [false, true] {
            let word = isReplay ? "REPLAY" : "SIM"
            for alarms in [[], [CraftedWard.alarm(1, .severeLow, .oxygenSaturation, .high, text: "SpO2 78 % < 85 %")]] {
                var crafted = CraftedWard()
                for number in 1...3 {
                    crafted.bed(
                        "\(number)", [.heartRate: 10_700, .oxygenSaturation: 7800, .bodyTemperature: 3940],
                        alarms: alarms,
                        isSimulated: !isReplay, isReplay: isReplay)
                }
                for columns in 1...120 {
                    for rows in [1, 2, 4, 6, 9, 16, 24, 40] {
                        for page in [WardScreenState.Page.beds, .bed(crafted.beds[0]), .alarms] {
                            var screen = WardScreenState()
                            screen.page = page
                            let text = crafted.grid(columns, rows, .ascii, screen).joined(separator: "\n")
                            guard text.contains("107") || text.contains("78") || text.contains("39.4") else { continue }
                            #expect(text.contains(word), "\(columns) × \(rows)\n\(text)")
                        }
                    }
                }
            }
        }
    }

    @Test(
        "of an alarm are those that stand beside it, or there is none",
        arguments: [
            (10_700, 10_700, AlarmState.active, true), (10_700, 10_800, .active, false),
            (10_700, 10_800, .acknowledged, false), (10_700, 15_200, .suspended, true), (10_700, 15_200, .ended, true),
        ])
    func words(shown: Int, named: Int, state: AlarmState, isNumberSaid: Bool) {
        for isOther in [false, true] {
            var crafted = CraftedWard()
            var alarm = CraftedWard.alarm(1, .severeHigh, .heartRate, .high, text: "HR \(named / 100) > 140")
            (alarm.state, alarm.value) = (state, VitalValue(hundredths: named))
            alarm.isLatched = state == .ended
            alarm.isAcknowledged = state == .acknowledged
            alarm.sensor = SensorIdentity(
                address: isOther ? "C0:52:49:00:00:77" : "C0:52:49:00:00:02", name: "Sensor", kind: .other)
            let bed = crafted.bed("1", [.heartRate: shown], alarms: [alarm])
            crafted.now += 300
            for page in [WardScreenState.Page.beds, .bed(bed), .alarms] {
                for (columns, rows) in [(80, 24), (120, 40), (60, 6)] {
                    var screen = WardScreenState()
                    screen.page = page
                    let text = crafted.grid(columns, rows, .ascii, screen).joined(separator: "\n")
                    let isSaid = text.contains("HR \(named / 100) > 140")
                    #expect(isSaid == (isNumberSaid || isOther), "\(columns) × \(rows)\n\(text)")
                    if !isSaid { #expect(text.contains("HR severely high")) }
                    if state == .ended, page != .beds {
                        #expect(text.contains("began 13:") && !text.contains("since 13:"))
                    }
                }
            }
        }
    }

    @Test("are called simulated in the line and in the object of the ward's status")
    func status() {
        for (isSimulated, isReplay) in [(true, false), (false, true), (false, false)] {
            var crafted = CraftedWard()
            crafted.bed("1", [.heartRate: 7200], isSimulated: isSimulated, isReplay: isReplay)
            crafted.bed("2", [.heartRate: 7200])
            let summary = WardSummary(crafted.ward)
            let line = WardStatusLine(crafted.ward, glyphs: .ascii, timeZoneOffset: 0, now: crafted.moment).text
            #expect(line.contains("SIMULATED: bed 1") == isSimulated)
            #expect(line.contains("REPLAY: bed 1") == isReplay)
            var lines = WardLines()
            lines.write(summary, text: line, at: crafted.moment)
            let object = lines.takeLines { String(decoding: $0, as: UTF8.self) }
            #expect(object.contains("\"simulated\":true") == isSimulated)
            #expect(object.contains("\"replay\":true") == isReplay)
        }
    }

    @Test("stand beside no message for longer than five seconds, nor beside a newer alarm, and the key stays")
    func notice() {
        var crafted = CraftedWard()
        crafted.bed("1", [.heartRate: 7200], alarms: [CraftedWard.alarm(1, .low, .heartRate, .medium)])
        crafted.ward.show("A sentence for the user, which is long enough to fill the whole line of a narrow screen.")
        let start = crafted.now
        for (milliseconds, isShown) in [(0, true), (4900, true), (5000, false)] {
            crafted.now = start + Int64(milliseconds)
            let line = crafted.grid(80, 24).last ?? ""
            #expect(line.contains("A sentence") == isShown, "\(milliseconds)")
            #expect(line.contains("a acknowledge"))
            #expect(
                nextWardRedraw(crafted.ward, WardScreenState(), now: crafted.moment).since(crafted.moment)
                    <= .seconds(5))
        }
        crafted.now = start + 7000
        _ = crafted.ward.advance(to: crafted.moment)
        crafted.ward.show("Another sentence.")
        crafted.now += 500
        crafted.bed(
            "1", [.heartRate: 7200],
            alarms: [
                CraftedWard.alarm(1, .low, .heartRate, .medium),
                CraftedWard.alarm(2, .severeLow, .oxygenSaturation, .high),
            ])
        #expect(crafted.grid(80, 24).last?.contains("Another") == false)
    }
}
