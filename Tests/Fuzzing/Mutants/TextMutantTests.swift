import BlueZSimulator
import Configuration
import Foundation
import Monitoring
import TestSupport
import Testing
import Vitals

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
        let seeds = try ["crowd", "hostile-names", "waves"].map {
            try Self.file("Bluetooth/BlueZSimulatorTests/Scenarios/\($0).json5")
        }
        let bytes = mutator.text(mutator.one(of: seeds))
        do throws(ScenarioError) {
            _ = try Scenario(json5: String(decoding: bytes, as: UTF8.self), file: "ward.json5")
        } catch {
            #expect("\(error)".contains("ward.json5"))
        }
    }

    private static let now = Moment(
        monotonicNanoseconds: 5_000_000_000_000, wallMilliseconds: 1_772_300_000_000)
}
