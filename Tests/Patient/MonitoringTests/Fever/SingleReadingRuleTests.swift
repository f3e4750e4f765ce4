import Testing
import Vitals

@testable import Monitoring

@Suite("The rule about a single reading")
struct SingleReadingRuleTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sensor = SensorIdentity.core
        var site: BodySite? = .core
        var temperatures: [Int?]
        var spacing = 10.0
        /// The state of the fever alarm after all of them, `nil` when there is none.
        var state: AlarmState?
    }

    static let cases: [Case] = [
        Case(testDescription: "nothing arrived", temperatures: [], state: nil),
        Case(testDescription: "one 38.0", temperatures: [3800], state: nil),
        Case(testDescription: "three of 38.29: below by a hundredth", temperatures: [3829, 3829, 3829], state: nil),
        Case(
            testDescription: "three of 38.30: exactly at the limit", temperatures: [3830, 3830, 3830], state: .active),
        Case(testDescription: "one 38.3 from a stream is unconfirmed", temperatures: [3830], state: .pending),
        Case(
            testDescription: "two of 38.3 from a stream are unconfirmed", temperatures: [3830, 3831], state: .pending),
        Case(
            testDescription: "a spike of one reading is dropped", temperatures: [3700, 3950, 3700, 3700], state: nil),
        Case(
            testDescription: "a confirmed spike is not forgotten with the normal readings after it",
            temperatures: [3950, 3950, 3950] + Array(repeating: 3700, count: 179), state: .active),
        Case(
            testDescription: "readings must be consecutive", temperatures: [3830, 3830, 3829, 3830, 3830],
            state: .pending),
        Case(
            testDescription: "values reported twice because two programs listen confirm nothing",
            temperatures: [3850, 3850, 3850], spacing: 0.001, state: .pending),
        Case(
            testDescription: "values at equal moments confirm nothing", temperatures: [3850, 3850, 3850], spacing: 0,
            state: .pending),
        Case(
            testDescription: "a sensor that sends ten times a second is confirmed within a second",
            temperatures: Array(repeating: 3850, count: 7), spacing: 0.1, state: .active),
        Case(
            testDescription: "a NaN in between neither counts nor starts anew",
            temperatures: [3830, nil, 3830, nil, 3830], state: .active),
        Case(testDescription: "NaN alone is no fever", temperatures: [nil, nil, nil], state: nil),
        Case(
            testDescription: "readings ten minutes apart are not in a row", temperatures: [3850, 3850, 3850],
            spacing: 600, state: .pending),
        Case(
            testDescription: "a spot thermometer's value counts alone", sensor: .thermometer, site: .mouth,
            temperatures: [3830], state: .active),
        Case(
            testDescription: "a spot thermometer's 38.29 does not", sensor: .thermometer, site: .mouth,
            temperatures: [3829], state: nil),
        Case(
            testDescription: "a spot value counts alone after an hour", sensor: .thermometer, site: .ear,
            temperatures: [3700, 3830], spacing: 3600, state: .active),
        Case(
            testDescription: "the second ear counts alone", sensor: .thermometer, site: .ear,
            temperatures: [3700, 3830], spacing: 20, state: .active),
        Case(
            testDescription: "a thermometer that streams needs confirmation", sensor: .thermometer, site: .ear,
            temperatures: [3700, 3700, 3830], spacing: 60, state: .pending),
        Case(
            testDescription: "values more than a minute apart are no stream", sensor: .thermometer, site: .ear,
            temperatures: [3700, 3700, 3830], spacing: 60.001, state: .active),
        Case(
            testDescription: "skin is never evaluated, even when sent as body temperature", site: .skin,
            temperatures: [3900, 3900, 3900, 3900], state: nil),
        Case(
            testDescription: "a temperature between the limits does not end an episode",
            temperatures: [3830, 3830, 3830, 3780, 3790], state: .active),
        Case(
            testDescription: "a normal reading after a fever does not end it at once",
            temperatures: [3900, 3900, 3900, 3700, 3700], state: .active),
    ]

    @Test("follows the table", arguments: cases)
    func table(_ row: Case) {
        var state = MonitorState(start: Ward.moment(0))
        for (index, hundredths) in row.temperatures.enumerated() {
            let moment = Ward.moment(1 + Double(index) * row.spacing)
            let outcome: Reading.Outcome =
                hundredths.map { .measured(VitalValue(hundredths: $0), .good) } ?? .noMeasurement(.notANumber)
            let reading = Reading(
                sensor: row.sensor, vital: .bodyTemperature, outcome: outcome, moment: moment, site: row.site)
            _ = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
        }
        #expect(state.alarms.first { $0.kind == .feverSingle }?.state == row.state)
    }

    @Test(
        "as the median of three forgives one reading below the limit, and no more",
        arguments: [
            ([3830], AlarmVerdict.suspected(.init(count: 1, wanted: 2))),
            ([3830, 3830], .met),
            ([3830, 3700, 3830], .met),
            ([3830, 3829, 3829], .unmet),
            ([3830, 3700], .suspected(.init(count: 1, wanted: 2))),
            ([3830, 3700, 3700, 3830], .suspected(.init(count: 1, wanted: 2))),
            ([3700, 3950, 3700], .suspected(.init(count: 1, wanted: 2))),
            ([3700, 3950, 3700, 3700], .unmet),
        ])
    func medianOfThree(_ temperatures: [Int], _ expected: AlarmVerdict) {
        var probe = FeverProbe(.medianOfThree)
        for (index, value) in temperatures.enumerated() { probe.feed(value, at: Double(index) * 10) }
        #expect(probe.verdict.single == expected)
    }

    @Test("estimates on the way to a final value confirm each other only, and do not make a stream of it")
    func intermediateValues() {
        var probe = FeverProbe(sensor: .thermometer, site: .armpit)
        probe.quality = .questionable
        for (second, value) in [(1.0, 3600), (2, 3750), (3, 3810), (4, 3835)] { probe.feed(value, at: second) }
        #expect(probe.verdict.single == .suspected(.init(count: 1, wanted: 3)))
        probe.quality = .good
        #expect(probe.feed(3840, at: 5).single == .met)
    }

    @Test("no number of readings can be asked for that is never reached", arguments: [-3, 0, 1, .max, .min])
    func confirmationCount(_ count: Int) {
        var settings = MonitorSettings.Fever()
        settings.confirmationCount = count
        var probe = FeverProbe(settings)
        probe.feed(3900, from: 0, through: 70, every: 1)
        #expect(probe.verdict.single == .met)
    }

    @Test("a reading that was overtaken counts when it arrives, and time does not go back")
    func outOfOrder() {
        var probe = FeverProbe()
        probe.feed(3850, at: 20)
        probe.feed(3850, at: 10)
        #expect(probe.verdict.single == .suspected(.init(count: 1, wanted: 3)))
        probe.feed(3850, at: 30)
        #expect(probe.feed(3850, at: 40).single == .met)
    }
}
