import Appearance
import Entries
import Monitoring
import TestSupport
import Testing
import Vitals
import Wording

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
        ward.screen.pages[RecordPage.self].cursor.selected = mistake.id
        #expect(text(ward).contains(": misread, to 38.4 °C, mouth"))
        ward.screen.pages[RecordPage.self].cursor.selected = right.id
        #expect(text(ward).contains("Replaces 39.4 °C, mouth: misread"))
        // What no longer holds cannot be corrected again.
        ward.screen.pages[RecordPage.self].cursor.selected = mistake.id
        #expect(ward.press(.character("E")) == nil)
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("lists only what is chosen, and says so in its title")
    func filter() {
        var ward = Ward.recordPage()
        ward.press(.character("/"))
        #expect(text(ward).contains("RECORD: LABS"))
        func kinds() -> [RecordEntry.Kind?] {
            ward.screen.pages[RecordPage.self].entries(in: ward.state).map(\.kind)
        }
        #expect(kinds() == [.lab])
        #expect(text(ward, 200, 60).contains("ANC 420/µL (severe neutropenia)"))
        ward.press(.character("/"))
        #expect(kinds() == [.medication])
        #expect(text(ward).contains("medication: paracetamol 500 mg, antipyretic"))
        for _ in 0..<3 { ward.press(.character("/")) }
        #expect(text(ward).contains("None of these is recorded. / lists others."))
        ward.press(.character("/"))
        #expect(ward.screen.pages[RecordPage.self].filter == .all)
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
        guard case .monitor(.patient(.enter(let entry))) = ward.press(.enter), case .mascc(let index) = entry.content
        else {
            Issue.record("it is not entered")
            return
        }
        #expect(index.score == 24 && index.assessedBy == "Ada")
        ward.type("M1nn")
        ward.press(.escape)
        #expect(ward.screen.dialogs.inputLine == nil)
    }

    @Test("what a correction begins with is accepted as it stands", arguments: RecordEntry.Kind.typed)
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

    @Test(
        "a correction begins with what was typed, in its own unit, names and order",
        arguments: [
            (RecordEntry.Kind.glucose, "5.8 mmol/L"), (.glucose, "104.49"), (.glucose, "105 mg/dl"),
            (.glucose, "5,8 mmol"),
            (.weight, "160 lb"), (.weight, "72,4"), (.weight, "72.4 kg"), (.bodyTemperature, "101.1F mouth"),
            (.bodyTemperature, "38,4 oral"), (.bodyTemperature, "38.40"), (.heartRate, "72 bpm"),
            (.oxygenSaturation, "97%"), (.bloodPressure, "120/80 pulse 72"), (.bloodPressure, "142/88/106"),
            (.lab, "hb 98 g/L wbc 1200/µL"), (.lab, "leuko 1.20 plt 45"), (.lab, "hgb 6.1 mmol/L"),
            (.lab, "anc 0.42x10^9/L"), (.medication, "paracetamol 0.5 g"), (.medication, "Paracetamol 500mg"),
            (.symptom, "pain 6"), (.neutrophils, "0.45 10^9/L"), (.neutrophils, "450/mm3"),
            (.note, "asleep, 5.8 mmol/L"),
        ])
    func typedAgain(kind: RecordEntry.Kind, text: String) throws {
        let now = Ward.empty().now
        func read(_ text: String, at time: Moment, usual: Moment?) throws -> RecordEntry? {
            let outcome = try ManualReader.read(
                text, as: kind, unit: .celsius, now: time, timeZone: LocalTimeZone(offset: 0), measuredAt: usual)
            switch outcome {
            case .entry(let entry), .question(_, let entry): return entry
            case .withdrawn: return nil
            }
        }
        let entry = try #require(try read(text, at: now, usual: now))
        // Through the store of another run, and in whatever units are shown.
        for glucose in GlucoseConcentrationUnit.allCases {
            let draft = ManualDraft(kind, units: DisplayUnits(glucose: glucose), correcting: entry)
            if entry.typed != nil || glucose == .milligramsPerDecilitre { #expect(draft.prompt.text == text) }
            let later = now.advanced(by: .seconds(7200))
            let again = try #require(try read(draft.prompt.text, at: later, usual: entry.taken))
            #expect(again.content == entry.content && again.taken == entry.taken)
        }
        // A number without a unit would mean another temperature now.
        let fahrenheit = ManualDraft(kind, units: .fahrenheit, correcting: entry).prompt.text
        let again = try ManualReader.read(
            fahrenheit, as: kind, unit: .fahrenheit, now: now, timeZone: LocalTimeZone(offset: 0), measuredAt: now)
        if case .entry(let again) = again, kind == .bodyTemperature {
            #expect(
                abs(
                    (again.sample(of: .bodyTemperature)?.value.hundredths ?? 0)
                        - (entry.sample(of: .bodyTemperature)?.value.hundredths ?? 0)) <= 5)
        }
    }
}
