import Foundation
import Formats
import Monitoring
import Testing
import VitalDecoders
import Vitals

/// No file that is imported ever ends the program, and what it adds is possible.
@Suite("Damaged files of entries")
struct ImportMutantTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let now = Moment(
        monotonicNanoseconds: 5_000_000_000_000, wallMilliseconds: 1_772_300_000_000)

    private static func file(_ name: String) throws -> [UInt8] {
        let text = String(
            decoding: try Data(
                contentsOf: tests.appending(path: "Exchange/FormatsTests/Golden/ManualExport/\(name).txt")),
            as: UTF8.self)
        return Array(text.replacing("␍", with: "\r").utf8)
    }

    private static let plain = Array(
        #"""
        time;kind;value;unit;site;note
        2025-12-18T07:30:00Z;lab;wbc 1,2 neutrophils 35% hb 9,8;;;
        2025-12-18T08:00:00Z;temperature;38,4;°C;mouth;
        2025-12-18T08:01:00+01:00;pressure;120/80 pulse 72;;;
        18.12.2025 08:06;weight;72,4;kg;;
        2025-12-18T08:04:00Z;note;;;;"asleep; ""fine"""

        """#.utf8)

    private func check(_ bytes: [UInt8], _ format: ImportFormat) {
        do throws(ImportError) {
            let file = try format.read(
                bytes, ImportContext(now: Self.now, temperatureUnit: .celsius, isSimulated: false))
            #expect(file.refusals.allSatisfy { !$0.place.isEmpty && !$0.reason.isEmpty })
            let plan = ImportPlan(file, into: [], now: Self.now, source: "m", acceptsRare: true)
            for addition in plan.additions {
                let entry = addition.entry
                #expect(entry.taken.wallMilliseconds <= Self.now.wallMilliseconds)
                switch entry.content {
                case .lab(let result): #expect(result.isPossible)
                case .vital(let vital, let value, _): #expect(vital.isMeasurable(value), "\(entry.text)")
                case .bloodPressure(let pressure):
                    #expect(BloodPressure.isPossible(pressure.systolic, pressure.diastolic))
                case .weight(let weight): #expect(RecordEntry.weights.contains(weight.hundredths))
                default: break
                }
                // What is not measured or typed has words that a terminal can show.
                #expect(!entry.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
            }
            // Once more adds nothing.
            let record = plan.additions.map { RecordedEntry($0.entry, run: 1) }
            #expect(ImportPlan(file, into: record, now: Self.now, source: "m", acceptsRare: true).additions.isEmpty)
            #expect(!plan.text(isDryRun: true).unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    @Test("an exported table adds what is possible, or it is said why not", arguments: Mutants.seeds)
    func table(_ seed: Int) throws {
        var mutator = FileMutator(seed: seed)
        check(mutator.text(try Self.file("csv")), .csv)
    }

    @Test("a plain table adds what is possible, or it is said why not", arguments: Mutants.seeds)
    func plainTable(_ seed: Int) {
        var mutator = FileMutator(seed: seed)
        check(mutator.text(Self.plain), .csv)
    }

    @Test("FHIR adds what is possible, or it is said why not", arguments: Mutants.seeds)
    func fhir(_ seed: Int) throws {
        var mutator = FileMutator(seed: seed)
        check(mutator.text(try Self.file("fhir")), .fhir)
    }
}
