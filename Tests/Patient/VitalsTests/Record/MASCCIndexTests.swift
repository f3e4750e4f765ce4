import Base
import Testing
import Vitals

@Suite("The MASCC risk index")
struct MASCCIndexTests {
    private static func index(
        _ burden: MASCCIndex.Burden, hypotension: Bool = false, copd: Bool = false, tumour: Bool = true,
        dehydration: Bool = false, outpatient: Bool = true, under60: Bool = true
    ) -> MASCCIndex {
        MASCCIndex(
            burden: burden, hasHypotension: hypotension, hasPulmonaryDisease: copd,
            hasSolidTumourOrNoFungalInfection: tumour, isDehydrated: dehydration, isOutpatient: outpatient,
            isUnder60: under60)
    }

    /// Cases with their scores, computed by hand from the table of the publication.
    static let cases: [(MASCCIndex, score: Int, isHighRisk: Bool)] = [
        // 5 + 5 + 4 + 4 + 3 + 3 + 2
        (index(.mild), 26, false),
        (index(.moderate), 24, false),
        (index(.severe), 21, false),
        // One point below the threshold needs two items.
        (index(.severe, under60: false), 19, true),
        (index(.mild, hypotension: true), 21, false),
        (index(.mild, copd: true), 22, false),
        (index(.mild, tumour: false), 22, false),
        (index(.mild, dehydration: true), 23, false),
        (index(.mild, outpatient: false), 23, false),
        (index(.mild, under60: false), 24, false),
        (index(.moderate, dehydration: true, outpatient: false), 18, true),
        (index(.mild, dehydration: true, under60: false), 21, false),
        (index(.moderate, copd: true), 20, true),
        (
            index(
                .severe, hypotension: true, copd: true, tumour: false, dehydration: true, outpatient: false,
                under60: false), 0, true
        ),
    ]

    @Test("adds up the points of all items", arguments: cases)
    func scores(_ index: MASCCIndex, _ score: Int, _ isHighRisk: Bool) {
        #expect(index.score == score)
        #expect(index.isHighRisk == isHighRisk)
    }

    @Test("fault 17 of the replaced system: outpatient status counts, so that 26 points can be reached")
    func maximum() {
        #expect(Self.index(.mild).score == MASCCIndex.maximum)
        #expect(MASCCIndex.maximum == 26)
        #expect(Self.index(.mild, outpatient: true).points(for: .outpatient) == 3)
    }

    @Test("the name of who assessed it is sanitized")
    func name() {
        let index = MASCCIndex(
            burden: .mild, hasHypotension: false, hasPulmonaryDisease: false, hasSolidTumourOrNoFungalInfection: true,
            isDehydrated: false, isOutpatient: true, isUnder60: true, assessedBy: "Ada\u{1B}[2J")
        #expect(index.assessedBy == "Ada\u{FFFD}[2J")
    }
}
