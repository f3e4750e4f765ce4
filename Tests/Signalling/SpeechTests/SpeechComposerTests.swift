import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Speech

@Suite("What is said of values and alarms")
struct SpeechComposerTests {
    private static let strap = SensorIdentity(address: "AA:00:00:00:00:01", name: "strap", kind: .heartRateStrap)
    private static let oximeter = SensorIdentity(address: "AA:00:00:00:00:02", name: "oximeter", kind: .oximeter)
    private static let core = SensorIdentity(address: "AA:00:00:00:00:03", name: "CORE 1A2B", kind: .core)

    /// 13:58 UTC.
    private static let start: Int64 = 1_750_000_000_000 - 1_750_000_000_000 % 86_400_000 + (13 * 60 + 58) * 60_000

    private static func moment(_ seconds: Double) -> Moment {
        Moment(
            monotonicNanoseconds: 5_000_000_000_000 + Int64(seconds * 1e9),
            wallMilliseconds: start + Int64(seconds * 1e3))
    }

    private struct Room {
        var state = MonitorState(settings: MonitorSettings(), start: moment(0))

        @discardableResult
        mutating func measure(
            _ vital: Vital, _ hundredths: Int, from sensor: SensorIdentity, quality: Reading.Quality = .good,
            at seconds: Double = 0
        ) -> [Effect] {
            let reading = Reading(
                sensor: sensor, vital: vital, outcome: .measured(VitalValue(hundredths: hundredths), quality),
                moment: moment(seconds))
            return state.apply(MonitorEvent(moment: moment(seconds), kind: .reading(reading)))
        }
    }

    private func english(_ room: Room) -> String {
        SpeechComposer(language: .english, context: .real).values(of: room.state).text
    }
    private func german(_ room: Room) -> String {
        SpeechComposer(language: .german, context: .real).values(of: room.state).text
    }

    /// A patient with all three values and a fever since 13:58.
    private var feverish: Room {
        var room = Room()
        for second in 0..<3 {
            room.measure(.bodyTemperature, 3860, from: Self.core, at: Double(second))
        }
        room.measure(.heartRate, 7200, from: Self.strap, at: 3)
        room.measure(.pulseRate, 7100, from: Self.oximeter, at: 3)
        room.measure(.oxygenSaturation, 9800, from: Self.oximeter, at: 3)
        return room
    }

    @Test("names each value once, and since when there is a fever")
    func values() {
        #expect(english(feverish) == "heart rate 72, saturation 98, temperature 38.6, fever since 13:58")
        #expect(german(feverish) == "Herzfrequenz 72, Sättigung 98, Temperatur 38,6, Fieber seit 13:58")
    }

    @Test("says that nothing is measured where no sensor has sent anything")
    func nothing() {
        #expect(english(Room()) == "no measurement")
        #expect(german(Room()) == "keine Messung")
    }

    @Test("says no number that is not live: off the body, late, or lost")
    func notLive() {
        var room = feverish
        let off = Reading(
            sensor: Self.strap, vital: .heartRate, outcome: .noMeasurement(.offBody), moment: Self.moment(4))
        _ = room.state.apply(MonitorEvent(moment: Self.moment(4), kind: .reading(off)))
        #expect(english(room).hasPrefix("heart rate: no measurement, pulse 71, saturation 98,"))
        _ = room.state.apply(MonitorEvent(moment: Self.moment(3600), kind: .tick))
        #expect(
            english(room)
                == """
                heart rate: no measurement, pulse: no measurement, saturation: no measurement, temperature: no \
                measurement, fever since 13:58
                """)
    }

    @Test("says of a value of reduced quality that it is doubtful")
    func doubtful() {
        var room = Room()
        room.measure(.oxygenSaturation, 9100, from: Self.oximeter, quality: .questionable)
        #expect(english(room) == "saturation 91 doubtful")
        #expect(german(room) == "Sättigung 91 unsicher")
    }

    @Test("uses the units of the screen, the local time and the patient's name, and says that data are simulated")
    func context() {
        let composer = SpeechComposer(
            language: .english, units: ValueText(isFahrenheit: true),
            context: SessionContext(
                provenance: .simulated, patient: PatientName("bed-12"), timeZoneOffset: 11 * 3600))
        #expect(
            composer.values(of: feverish.state).text
                == "simulated: bed-12: heart rate 72, saturation 98, temperature 101.5, fever since 0:58")
    }

    @Test("never rounds a value across a limit")
    func rounding() {
        var room = Room()
        room.measure(.bodyTemperature, 3829, from: Self.core)
        #expect(english(room) == "temperature 38.29")
        #expect(german(room) == "Temperatur 38,29")
    }

    @Test("names an alarm with its live value, and a technical one with its sensor")
    func alarms() throws {
        var room = Room()
        room.measure(.heartRate, 14_500, from: Self.strap)
        let high = try #require(room.state.alarms.first)
        let composer = SpeechComposer(language: .english, context: .real)
        #expect(
            composer.alarm(high, in: room.state)
                == Utterance("alarm: heart rate severely high, 145", .english, .alarm(.high)))
        let off = Reading(
            sensor: Self.strap, vital: .heartRate, outcome: .noMeasurement(.offBody), moment: Self.moment(1))
        _ = room.state.apply(MonitorEvent(moment: Self.moment(1), kind: .reading(off)))
        let suspended = try #require(room.state.alarms.first { $0.id == high.id })
        #expect(composer.alarm(suspended, in: room.state).text == "alarm: heart rate severely high")
        _ = room.state.apply(MonitorEvent(moment: Self.moment(60), kind: .tick))
        let technical = try #require(room.state.alarms.first { $0.kind == .sensorOff })
        #expect(
            SpeechComposer(language: .german, context: .real).alarm(technical, in: room.state).text.hasSuffix(", strap")
        )
    }

    @Test("leaves out of a name what is no letter, digit or dash")
    func names() {
        #expect(SpeechComposer.pronounceable("Polar H10-4A") == "Polar H10-4A")
        #expect(SpeechComposer.pronounceable("\r\n.\r\nSTOP all\r\n") == "STOP all")
        #expect(SpeechComposer.pronounceable("<speak>ä&amp;</speak>") == "speak ä amp speak")
        #expect(SpeechComposer.pronounceable("\u{202E}\u{0}\u{1F4A9}") == "")
        #expect(SpeechComposer.pronounceable(String(repeating: "x", count: 10_000)).count == 40)
    }

    @Test("has a text for each alarm and vital in each language, without digits or punctuation that a voice spells")
    func complete() {
        let texts = AlarmKind.allCases.map(SpeechText.condition) + Vital.allCases.map(SpeechText.vital)
        for text in texts {
            for language in SpeechLanguage.allCases {
                let spoken = text.in(language)
                #expect(!spoken.isEmpty)
                #expect(spoken.allSatisfy { $0.isLetter || $0 == " " || $0 == "-" }, "\(spoken)")
            }
        }
    }

    @Test(
        "follows the language of the locale",
        arguments: [
            ("de_AT.UTF-8", SpeechLanguage.german), ("de", .german), ("en_GB.UTF-8", .english), ("C.UTF-8", .english),
            ("", .english), ("fr_FR", .english), ("den", .english), ("DE_de", .german),
        ])
    func languages(locale: String, language: SpeechLanguage) {
        #expect(SpeechLanguage(locale: locale) == language)
    }
}

extension SessionContext {
    /// The patient that has no name, in UTC.
    static let real = SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0)
}
