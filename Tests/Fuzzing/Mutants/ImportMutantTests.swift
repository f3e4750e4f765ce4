import EDF
import Foundation
import Formats
import Monitoring
import Nights
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

    private static let ring = Array(
        """
        Time,SpO2(%),Pulse Rate(bpm),Motion,SpO2 Reminder,PR Reminder,
        "11:20:29PM Jun 19, 2025",255,65535,0,0,0,
        "11:20:33PM Jun 19, 2025",96,60,3,0,0,
        "11:20:37PM Jun 19, 2025",--,--,0,0,0,
        "11:20:41PM Jun 19, 2025",95,61,0,0,0,

        """.utf8)

    private static let cuff = Array(
        """
        datetime,dia,sys,bpm,mov,ihb
        2025-06-19 07:30:00,80,120,65,0,1
        2025-06-20 07:31:00,85,135,70,1,0

        """.utf8)

    /// A file of EDF+ with gaps.
    private static let edf: [UInt8] = {
        let signals = [
            EDFSignal("SpO2", dimension: "%", physical: -1...100, digital: -100...10_000, samplesPerRecord: 1),
            EDFSignal("Pulse", dimension: "bpm", physical: -1...300, digital: -1...300, samplesPerRecord: 1),
            .annotations(octets: 40),
        ]
        let header = EDFHeader(
            start: DateTime(year: 2025, month: 6, day: 19, hour: 23, minute: 5, second: 9), kind: .discontinuous,
            recordCount: 4, recordDuration: 1, signals: signals)
        var octets = header.octets()
        for (index, second) in [0, 1, 60, 9000].enumerated() {
            header.appendRecord(at: Int64(second) * 1000, [[9700], [Int16(60 + index)]], lists: [], to: &octets)
        }
        return octets
    }()

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
            let again = ImportPlan(
                file, into: record, nights: Set(plan.nights.map(\.night.contentKey)), now: Self.now, source: "m",
                acceptsRare: true)
            #expect(again.additions.isEmpty && again.nights.isEmpty)
            for night in plan.nights.map(\.night) {
                #expect((1...60).contains(night.interval) && night.end <= Self.now.wallMilliseconds + 300_000)
                #expect(night.samples.allSatisfy { $0.saturation.map { (1...100).contains($0) } ?? true })
            }
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

    @Test("a night of the maker's adds what is possible, or it is said why not", arguments: Mutants.seeds)
    func ringTable(_ seed: Int) {
        var mutator = FileMutator(seed: seed)
        check(mutator.text(Self.ring), .csv)
    }

    @Test("blood pressures of a cuff add what is possible, or it is said why not", arguments: Mutants.seeds)
    func cuffTable(_ seed: Int) {
        var mutator = FileMutator(seed: seed)
        check(mutator.text(Self.cuff), .csv)
    }

    @Test("EDF+ and a ring's file add what is possible, or it is said why not", arguments: Mutants.seeds)
    func octets(_ seed: Int) {
        var mutator = FileMutator(seed: seed)
        let changed = mutator.damaged(Self.edf)
        check(changed, .edf)
        check(changed, .ringFile)
        check([3, 0] + changed.dropFirst(2), .ringFile)
    }

    @Test("FHIR adds what is possible, or it is said why not", arguments: Mutants.seeds)
    func fhir(_ seed: Int) throws {
        var mutator = FileMutator(seed: seed)
        check(mutator.text(try Self.file("fhir")), .fhir)
    }
}
