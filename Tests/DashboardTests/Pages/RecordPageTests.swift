import Appearance
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Dashboard

@Suite("The page of the patient's record")
struct RecordPageTests {
    private func text(_ ward: Ward, _ columns: Int = 100, _ rows: Int = 30) -> String {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("a correction keeps the time of the mistake, which stays and says what replaces it and why")
    func correction() throws {
        var ward = Ward.recordPage()
        let record = ward.state.patientRecord
        let mistake = try #require(record.entries.first { $0.retractionReason == "misread" })
        let right = try #require(record.correction(of: mistake.id))
        #expect(mistake.content == .vital(.bodyTemperature, VitalValue(hundredths: 3940), site: .mouth))
        #expect(right.content == .vital(.bodyTemperature, VitalValue(hundredths: 3840), site: .mouth))
        #expect(right.taken == mistake.taken && right.correction?.reason == "misread")
        ward.screen.pages.record.selected = mistake.id
        #expect(text(ward).contains(": misread, to 38.4 °C, mouth"))
        ward.screen.pages.record.selected = right.id
        #expect(text(ward).contains("Replaces 39.4 °C, mouth: misread"))
        // What no longer holds cannot be corrected again.
        ward.screen.pages.record.selected = mistake.id
        #expect(ward.press(.character("E")) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("lists only what is chosen, and says so in its title")
    func filter() {
        var ward = Ward.recordPage()
        ward.press(.character("/"))
        #expect(text(ward).contains("RECORD: LABS"))
        func kinds() -> [RecordEntry.Kind?] {
            ward.screen.pages.record.entries(of: ward.state.patientRecord.entries).map(\.kind)
        }
        #expect(kinds() == [.lab])
        #expect(text(ward, 200, 60).contains("ANC 420/µL (severe neutropenia)"))
        ward.press(.character("/"))
        #expect(kinds() == [.medication])
        #expect(text(ward).contains("medication: paracetamol 500 mg, antipyretic"))
        for _ in 0..<3 { ward.press(.character("/")) }
        #expect(text(ward).contains("None of these is recorded. / lists others."))
        ward.press(.character("/"))
        #expect(ward.screen.pages.record.filter == .all)
    }

    @Test("says how a neutrophil count was found, and what was left out")
    func explanation() {
        let ward = Ward.recordPage()
        #expect(
            text(ward, 160, 40).contains(
                "ANC: neutrophils × white cells, rounded down; left out: lymphocytes, monocytes, eosinophils, basophils, blasts"
            ))
    }

    @Test("Esc leaves a reason without taking anything back")
    func escape() {
        var ward = Ward.recordPage()
        let before = ward.state.patientRecord
        ward.obey(.home)
        ward.press(.character("x"))
        ward.type("no")
        #expect(ward.press(.escape) == nil)
        #expect(ward.state.patientRecord == before)
    }

    @Test("the risk index is asked item by item, Backspace goes back, and Esc leaves")
    func riskIndex() throws {
        var ward = Ward.masccForm()
        #expect(text(ward).contains("Question 4 of 7"))
        ward.press(.backspace)
        #expect(text(ward).contains("Question 3 of 7"))
        // The keys of another question mean nothing.
        ward.press(.character("2"))
        ward.type("nynyn")
        #expect(text(ward).contains("Assessed by"))
        ward.type("Ada")
        guard case .answer(.enter(let entry)) = ward.press(.enter), case .mascc(let index) = entry.content else {
            Issue.record("it is not entered")
            return
        }
        #expect(index.score == 24 && index.assessedBy == "Ada")
        ward.type("M1nn")
        ward.press(.escape)
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("what a correction begins with is accepted as it stands", arguments: RecordEntry.Kind.allCases)
    func typedText(kind: RecordEntry.Kind) throws {
        let ward = Ward.empty()
        guard kind != .mascc, kind != .neutrophils else { return }
        let example = ManualReader.example(of: kind, unit: .celsius)
        func entry(_ text: String) throws -> RecordEntry? {
            let now = ward.now.advanced(by: .seconds(7200))
            switch try ManualReader.read(
                text, as: kind, unit: .celsius, now: now, timeZone: LocalTimeZone(offset: 0), measuredAt: ward.now)
            {
            case .entry(let entry), .question(_, let entry): return entry
            case .withdrawn: return nil
            }
        }
        let words = example.split(separator: " ").filter { !$0.contains(":") && !$0.hasPrefix("-") }
        let first = try #require(try entry(words.joined(separator: " ")))
        let again = try #require(try entry(first.typedText(ward.screen.units)))
        #expect(again.content == first.content && again.taken == ward.now)
    }
}
