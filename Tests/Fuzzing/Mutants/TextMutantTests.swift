import BlueZSimulator
import Configuration
import Foundation
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

/// No file of the user's ever ends the program: it is read, or there is a sentence about it.
@Suite("Damaged texts")
struct TextMutantTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func file(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: tests.appending(path: path)))
    }

    private static let theme = Array(
        """
        [theme]
        base = "light"   # by day
        heart_rate = "#005f00"
        spo2 = usual
        alarm_high_ground = "red"

        """.utf8)

    private static let sensors = Array(
        """
        {"version":1,"sensors":[
        {"address":"C0:52:49:00:00:02","name":"Polar H10 1234","kind":"heart_rate_strap","label":"Ada","wanted":true},
        {"address":"C0:52:49:00:00:03","name":"e-Oximeter","kind":"oximeter","wanted":false,"vitals":["spo2"]}
        ],"later":{"more":[1,2,3]}}

        """.utf8)

    private static let patient = Array(
        """
        {"version":1,"limits":[
        {"vital":"heart_rate","rule":"high","hundredths":13000,"priority":"high","milliseconds":0},
        {"vital":"body_temperature","rule":"rise","hundredths":55,"priority":"low","milliseconds":600000},
        {"vital":"pulse_rate","rule":"flat_line","milliseconds":90000}
        ],"neutrophils":{"per_microlitre":450,"sampled_at_ms":1772200200000,"entered_by":"Ada"}}

        """.utf8)

    @Test("a configuration is read, or every mistake has a sentence", .computing, arguments: Mutants.seeds)
    func configuration(_ seed: Int) throws {
        var mutator = FileMutator(seed: seed)
        let bytes = mutator.text(try Self.file("Program/ConfigurationTests/Golden/bedside.toml"))
        do throws(ConfigurationErrors) {
            let settings = try Settings(ConfigurationDocument(bytes: bytes)).monitorSettings
            var state = MonitorState(settings: settings, start: Self.now)
            _ = state.apply(MonitorEvent(moment: Self.now.advanced(by: .seconds(60)), kind: .tick))
        } catch {
            #expect(!error.list.isEmpty && error.list.allSatisfy { !$0.sentence(file: "f").isEmpty })
        }
    }

    @Test("a theme is read, or every mistake has a sentence", arguments: Mutants.seeds)
    func theme(_ seed: Int) throws {
        var mutator = FileMutator(seed: seed)
        let bytes = mutator.text(Self.theme)
        do throws(ConfigurationErrors) {
            _ = try ThemeFile(ConfigurationDocument(bytes: bytes)).theme
        } catch {
            #expect(!error.list.isEmpty && error.list.allSatisfy { !$0.sentence(file: "f").isEmpty })
        }
    }

    @Test("a scenario is read, or the mistake has a sentence", .computing, arguments: Mutants.seeds)
    func scenario(_ seed: Int) throws {
        var mutator = FileMutator(seed: seed)
        let seeds = try ["crowd", "hostile-names"].map {
            try Self.file("Bluetooth/BlueZSimulatorTests/Scenarios/\($0).json5")
        }
        let bytes = mutator.text(mutator.one(of: seeds))
        do throws(ScenarioError) {
            _ = try Scenario(json5: String(decoding: bytes, as: UTF8.self), file: "ward.json5")
        } catch {
            #expect("\(error)".contains("ward.json5"))
        }
    }

    @Test("remembered sensors are read, or it is said why not", arguments: Mutants.seeds)
    func sensors(_ seed: Int) {
        var mutator = FileMutator(seed: seed)
        do throws(EarlierFiles.FormatError) {
            _ = try EarlierFiles.sensors(mutator.text(Self.sensors))
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    @Test("what is kept of the patient is read and holds, or it is said why not", arguments: Mutants.seeds)
    func patient(_ seed: Int) {
        var mutator = FileMutator(seed: seed)
        do throws(EarlierFiles.FormatError) {
            let memory = try EarlierFiles.patient(mutator.text(Self.patient))
            var state = MonitorState(start: Self.now)
            _ = state.apply(.memory(memory, at: Self.now))
            let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar", kind: .heartRateStrap)
            for second in 0..<30 {
                let moment = Self.now.advanced(by: .seconds(second))
                let outcome = Reading.Outcome.measured(VitalValue(whole: 60 + second * 4), .good)
                _ = state.apply(
                    MonitorEvent(
                        moment: moment,
                        kind: .reading(Reading(sensor: strap, vital: .heartRate, outcome: outcome, moment: moment))))
            }
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    private static let now = Moment(
        monotonicNanoseconds: 5_000_000_000_000, wallMilliseconds: 1_772_300_000_000)
}
