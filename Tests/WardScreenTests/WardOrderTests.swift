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
        let shown = crafted.ward[bed]?.alarms.map { "\($0.kind) \($0.priority.rawValue)" }
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
}
