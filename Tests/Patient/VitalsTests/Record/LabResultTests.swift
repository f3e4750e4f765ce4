import Testing
import Vitals

@Suite("Blood counts")
struct LabResultTests {
    private static func result(_ values: [LabAnalyte: Int]) -> LabResult {
        LabResult(values.map { LabResult.Value($0.key, VitalValue(hundredths: $0.value)) })
    }

    /// White cells per µL, neutrophils in hundredths of a percent, and their product by hand, rounded down.
    static let counts: [(whiteCells: Int, share: Int, count: Int)] = [
        (1200, 3500, 420), (1200, 4165, 499), (1200, 4167, 500), (1000, 5000, 500), (998, 5000, 499),
        (200, 5000, 100), (198, 5000, 99), (0, 5000, 0), (5000, 0, 0), (7300, 6125, 4471), (2000, 7500, 1500),
        (1999, 7500, 1499), (100_000, 10_000, 100_000), (400, 333, 13),
    ]

    @Test("ANC is the share of the white cells, rounded down", arguments: counts)
    func neutrophils(_ whiteCells: Int, _ share: Int, _ count: Int) {
        let result = Self.result([.whiteCells: whiteCells * 100, .neutrophils: share])
        #expect(result.neutrophilSource == .computed(perMicrolitre: count))
        #expect(result.neutrophilsPerMicrolitre == count)
    }

    @Test("a count by the laboratory is used as it is")
    func counted() {
        let result = Self.result([.whiteCells: 120_000, .neutrophils: 3500, .neutrophilCount: 43_000])
        #expect(result.neutrophilSource == .counted(perMicrolitre: 430))
    }

    @Test("what was left out so that there is no ANC is named")
    func missing() {
        #expect(Self.result([.whiteCells: 120_000]).neutrophilSource == .missing([.neutrophils]))
        #expect(Self.result([.neutrophils: 3500]).neutrophilSource == .missing([.whiteCells]))
        let result = Self.result([.haemoglobin: 980])
        #expect(result.neutrophilSource == .missing([.whiteCells, .neutrophils]))
        #expect(result.neutrophilsPerMicrolitre == nil)
        #expect(result.missing.count == LabAnalyte.allCases.count - 1)
    }

    @Test("the order in which values are set changes nothing, and each analyte has one value")
    func order() {
        let values = LabAnalyte.allCases.map { LabResult.Value($0, VitalValue(hundredths: 500)) }
        #expect(LabResult(values.reversed()) == LabResult(values))
        var result = LabResult(values)
        result[.basophils] = VitalValue(hundredths: 100)
        #expect(result.values.count == values.count)
        result[.basophils] = nil
        #expect(result.missing == [.basophils])
    }

    @Test("shares are parts of a whole, but six rounded ones may exceed it a little")
    func shares() {
        #expect(Self.result([.neutrophils: 6000, .lymphocytes: 4300]).isPossible)
        #expect(!Self.result([.neutrophils: 6000, .lymphocytes: 4301]).isPossible)
        #expect(!Self.result([.haemoglobin: 2501]).isPossible)
        #expect(!Self.result([.whiteCells: -1]).isPossible)
        #expect(!LabResult().isPossible)
    }

    @Test("extreme numbers do not trap")
    func extremes() {
        let result = Self.result([.whiteCells: .max, .neutrophils: .max, .lymphocytes: .max])
        #expect(result.neutrophilsPerMicrolitre == NeutrophilCount.greatest)
        #expect(!result.isPossible)
    }
}
