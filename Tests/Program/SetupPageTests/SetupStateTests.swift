import Base
import Configuration
import SetupPage
import TestSupport
import Testing
import Vitals

/// Answers at random to every step, and takes them back.
private struct Walker {
    var random: SeededGenerator

    static let sensors = (1...3).map { number in
        RememberedSensor(
            address: "C0:52:49:00:00:0\(number)", name: "Sensor \(number)", kind: .heartRateStrap, isWanted: true)
    }

    mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

    /// A file that is there already, or none.
    mutating func document() throws -> ConfigurationDocument {
        try ConfigurationDocument(
            pick([
                "", "# ours\n[screen]\nbed = \"Bed 3\"   # by the window\nunits = \"fahrenheit\"\n",
                "limits.heart_rate.low = 45\n", "[limits.spo2]\nlow = 92\n\n[alarms]\n# quiet\nspeakers = false\n",
                "[patient]\nname = \"ada\"\n[limits]\nheart_rate = { low = 48 }\n",
            ]))
    }

    mutating func answer(_ step: SetupStep) -> SetupAnswer {
        switch step {
        case .sensors:
            var sensor = pick(Self.sensors)
            sensor.setLabel(pick([nil, "Ada", "\u{1B}[31mred", "”#\\"]))
            sensor.isWanted = pick([true, false])
            return SetupAnswer(sensors: [sensor])
        case .patient:
            return SetupAnswer(values: [
                "screen.bed": .text(pick(["", "90", "Bed 12", "\"#'", "\u{E9}\\n", "true", "[1]"])),
                "patient.name": .text(pick(["", "ada", "bed-12"])),
            ])
        case .units: return SetupAnswer(values: ["screen.units": .text(pick(["celsius", "fahrenheit"]))])
        case .profile:
            let profile = pick(SetupProfile.allCases)
            return SetupAnswer(values: profile.values, profile: profile)
        case .limits:
            return SetupAnswer(values: [
                "limits.heart_rate.low": pick([.text("off"), number(Int.random(in: 30...130, using: &random))]),
                "limits.heart_rate.high": number(Int.random(in: 60...200, using: &random)),
            ])
        case .alarms:
            return SetupAnswer(values: [
                "alarms.notifications": .boolean(pick([true, false])),
                "alarms.volume": number(Int.random(in: 1...10, using: &random) * 10),
            ])
        case .start: return SetupAnswer(start: pick(SetupStart.allCases))
        case .look, .review: return SetupAnswer()
        }
    }

    private func number(_ number: Int) -> ConfigurationValue {
        ExactDecimal("\(number)").map(ConfigurationValue.number) ?? .text("")
    }
}

@Suite("What was answered on the first evening")
struct SetupStateTests {
    @Test(
        "any walk of answers, skips and steps back ends in a file that reads back to exactly these answers", .computing)
    func walks() throws {
        var walker = Walker(random: SeededGenerator(seed: 22))
        var (refusals, writes) = (0, 0)
        for _ in 0..<60 {
            let document = try walker.document()
            var state = try SetupState(document)
            state.remembered = Array(Walker.sensors.prefix(1))
            // What holds, step by step, kept independently.
            var kept: [SetupAnswer?] = []
            while state.step != .review {
                let before = state
                switch Int.random(in: 0..<6, using: &walker.random) {
                case 0:
                    #expect(state.back() == (kept.popLast() ?? nil))
                case 1:
                    state.skip()
                    kept.append(nil)
                default:
                    let answer = walker.answer(state.step)
                    do throws(ConfigurationError) {
                        try state.answer(answer)
                        kept.append(answer)
                        var undone = state
                        undone.back()
                        #expect(undone == before)
                    } catch {
                        refusals += 1
                        #expect(state == before && error.reason.contains("change one of the two"))
                        state.skip()
                        kept.append(nil)
                    }
                }
                #expect(state.answers == kept)
            }
            var expected = try Settings(document)
            for (name, value) in kept.flatMap({ $0.map { Array($0.values) } ?? [] }) {
                try SettingTable.setting(named: name)?.set(value.literal, in: &expected)
            }
            let written = try ConfigurationDocument(state.newDocument.text)
            #expect(try Settings(written) == expected)
            #expect(state.start == kept.compactMap { $0?.start }.last)
            // What nobody answered stays as it was, comments too.
            for line in document.text.split(separator: "\n") where line.contains("#") {
                #expect(written.text.contains(line.drop { $0 != "#" }))
            }
            if written != document { writes += 1 }
            // A second run begins with what the first one has written, and has nothing to add.
            var second = try SetupState(written)
            for answer in kept {
                if var answer {
                    (answer.sensors, answer.start) = ([], nil)
                    try second.answer(answer)
                } else {
                    second.skip()
                }
            }
            #expect(second.changesNothing)
        }
        #expect(refusals > 2 && writes > 40)
    }

    @Test("a child's limits are never invented, and that is said where nobody types them")
    func child() throws {
        #expect(SetupProfile.child.values.isEmpty)
        var state = try SetupState(ConfigurationDocument())
        for step in SetupStep.allCases where step != .review {
            if step == .profile { try state.answer(SetupAnswer(profile: .child)) } else { state.skip() }
        }
        #expect(state.settings == Settings())
        #expect(state.plan(path: "x") { _ in [] }.contains { $0.contains("not a child's") })
    }

    @Test("the limits of adults are the usual ones, and chemotherapy brings the fever rule of the guideline with them")
    func profiles() throws {
        let document = try ConfigurationDocument(
            "[limits.heart_rate]\nlow = 45\n[fever]\nthreshold = 39\nsustained_threshold = 38.5\n")
        for (profile, threshold) in [(SetupProfile.adult, 3900), (.chemotherapy, 3830)] {
            var state = try SetupState(document)
            while state.step != .profile { state.skip() }
            try state.answer(SetupAnswer(values: profile.values, profile: profile))
            #expect(state.settings.monitor.limits == Settings().monitor.limits)
            #expect(state.settings.monitor.fever.threshold.hundredths == threshold)
        }
    }

    @Test("another patient gets all sensors that were chosen, the same one only what has changed")
    func patients() throws {
        for (name, count) in [("", 1), ("bed-12", 2)] {
            var state = try SetupState(ConfigurationDocument())
            state.remembered = Array(Walker.sensors.prefix(2))
            state.skip()
            try state.answer(SetupAnswer(sensors: [Walker.sensors[0], Walker.sensors[2]]))
            try state.answer(SetupAnswer(values: ["patient.name": .text(name)]))
            #expect(state.newSensors.count == (name.isEmpty ? count : 3))
        }
    }
}
