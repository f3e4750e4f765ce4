import Monitoring
import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import Formats

@Suite("Entries of a table")
struct TableImportTests {
    private func plan(_ text: String, yes: Bool = false, into record: [RecordedEntry] = []) throws -> ImportPlan {
        ImportPlan(
            try ImportFormat.csv.read(Array(text.utf8), ImportRoundTripTests.context), into: record,
            now: RandomRecord.now, source: "t.csv (csv)", acceptsRare: yes)
    }

    private static let plain = #"""
        time;kind;value;unit;site;note
        2025-12-18T07:30:00Z;lab;wbc 1,2 neutrophils 35% hb 9,8;;;
        2025-12-18T08:00:00Z;temperature;38,4;°C;mouth;
        2025-12-18T08:01:00+01:00;Pressure;120/80 pulse 72;;;
        2025-12-18T08:02:00Z;medication;paracetamol 500 mg;;;
        2025-12-18T08:03:00Z;symptom;burning mouth 4;;;
        2025-12-18T08:04:00Z;note;;;;"asleep; ""fine"""
        2025-12-18T08:05:00Z;anc;450/µL;;;
        18.12.2025 08:06;weight;72,4;kg;;
        2025-12-18T08:07:00Z;glucose;5,8;mmol/L;;
        ;;;;;
        """#

    @Test("of one entry a line are what is typed for bedside enter, with semicolons and decimal commas")
    func semicolons() throws {
        let plan = try plan(Self.plain)
        #expect(plan.refusals.isEmpty && plan.rare.isEmpty)
        #expect(
            plan.additions.map(\.entry.text) == [
                "blood count: ANC 420/µL (severe neutropenia), white cells 1.2 × 10⁹/L, haemoglobin 9.8 g/dL, neutrophils 35 %",
                "body temperature 38.4 °C, mouth", "blood pressure 120/80 mmHg, pulse 72",
                "medication: paracetamol 500 mg, antipyretic", "symptom: burning mouth 4/10, moderate",
                "note: asleep; \"fine\"", "neutrophil count 450/µL", "weight 72.4 kg", "glucose 104.49 mg/dL",
            ])
        #expect(plan.additions.map(\.place).first == "line 2" && plan.additions[2].place == "line 4")
        #expect(plan.additions[2].entry.taken.wallMilliseconds == 1_766_041_260_000)
        #expect(try self.plan(Self.plain, into: plan.additions.map { RecordedEntry($0.entry, run: 2) }).known == 9)
    }

    @Test("are the same with a byte order mark, other line ends, commas and tabs")
    func forms() throws {
        let expected = try plan(Self.plain).additions.map(\.entry)
        let crlf = "\u{FEFF}" + Self.plain.replacing("\n", with: "\r\n")
        #expect(try plan(crlf).additions.map(\.entry) == expected)
        #expect(try plan(Self.plain.replacing("\n", with: "\r")).additions.map(\.entry) == expected)
        let tabs = Self.plain.replacing("asleep;", with: "asleep§").replacing(";", with: "\t").replacing("§", with: ";")
        #expect(try plan(tabs).additions.map(\.entry) == expected)
        #expect(
            try plan("time,kind,value\n2025-12-18T08:00:00Z,spo2,97\n").additions.map(\.entry.text)
                == ["oxygen saturation 97 %"])
    }

    @Test(
        "with a separator in a count per µL are refused, in a table of one's own and in an exported one",
        arguments: ["1.000", "1,000", "12.500", "1.234", "1.000.000"])
    func separators(number: String) throws {
        let reason = "A count per µL is a whole number without separators"
        for (kind, value) in [
            ("anc", "\(number)/µL"), ("lab", "wbc \(number)/µL"), ("lab", "plt \(number) /uL"),
            ("lab", "hb 9 anc \(number)/µL"), ("lab", "neutrophils \(number)/mm3"),
        ] {
            let plan = try plan("time;kind;value\n2025-12-18T08:00:00Z;\(kind);\(value)\n", yes: true)
            #expect(plan.additions.isEmpty && plan.refusals.count == 1, "\(kind) \(value)")
            #expect(number.count > 7 || plan.refusals.first?.reason.hasPrefix(reason) == true, "\(plan.refusals)")
            let apart = try self.plan(
                "time;kind;value;unit\n2025-12-18T08:00:00Z;anc;\(number);/µL\n", yes: true)
            #expect(apart.additions.isEmpty && apart.refusals.count == 1)
        }
        for vital in ["neutrophils", "white_cells", "platelets", "neutrophil_count"] {
            let table =
                "time;kind;vital;value;unit;monotonic_ns\n2025-12-18T08:00:00Z;manual;\(vital);\(number);/uL;0\n"
            let plan = try plan(table, yes: true)
            #expect(plan.additions.isEmpty && plan.refusals.count == 1, "\(vital)")
        }
    }

    @Test("with a number of cells that nobody has are rare, not entered unasked")
    func absurd() throws {
        for value in ["wbc 1/µL", "plt 150/µL", "plt 0.2"] {
            let plan = try plan("time;kind;value\n2025-12-18T08:00:00Z;lab;\(value)\n")
            #expect(plan.additions.isEmpty && plan.rare.count == 1, "\(value)")
        }
    }

    @Test(
        "that cannot be are refused with the line, the reason and what to do",
        arguments: [
            ("2030-01-01T00:00:00Z,spo2,97", "yet to come"), ("2025-12-18,spo2,97", "a date with a time of day"),
            ("yesterday,spo2,97", "a date with a time of day"), ("1880-12-18T07:30:00Z,spo2,97", "before 1900"),
            ("2025-12-18T08:00:00Z,spo2,101", "20 to 100 can be entered"),
            ("2025-12-18T08:00:00Z,temperature,11912 °C", "is not a temperature"),
            ("2025-12-18T08:00:00Z,temperature,119 °C", "not a possible body temperature"),
            ("2025-12-18T08:00:00Z,temperatur,38", "there are body_temperature"),
            ("2025-12-18T08:00:00Z,symptom,nausea 11", "from 0 (none) to 10"),
            ("2025-12-18T08:00:00Z,symptom,", "There is no value"), ("2025-12-18T08:00:00Z,note,", "no words"),
            ("2025-12-18T08:00:00Z,pressure,80/120", "must be lower"),
            ("2025-12-18T08:00:00Z,mascc,burden mild", "needs every item"),
            ("2025-02-30T08:00:00Z,spo2,97", "a date with a time of day"),
            ("\"2025-12-18T08:00:00Z,spo2,97", "not closed"), ("\"2025-12-18T08:00:00Z\"x,spo2,97", "closed quotation"),
        ])
    func refused(_ line: String, _ reason: String) throws {
        let plan = try plan("time,kind,value\n\(line)\n")
        #expect(plan.additions.isEmpty && plan.rare.isEmpty)
        #expect(plan.refusals.map(\.place) == ["line 2"])
        #expect(plan.refusals.first?.reason.contains(reason) == true, "\(plan.refusals)")
        #expect(plan.text(isDryRun: true).contains("line 2: refused. "))
    }

    @Test("that are rare are listed, and added only with the user's word")
    func rare() throws {
        let text = "time,kind,value\n2025-12-18T08:00:00Z,temperature,42.3 °C\n2025-12-18T08:00:00Z,spo2,97\n"
        let careful = try plan(text)
        #expect(careful.additions.map(\.place) == ["line 3"])
        #expect(careful.text(isDryRun: false).contains("line 2: not imported. 42.3 °C is unusual. Is it right? If so"))
        #expect(try plan(text, yes: true).additions.count == 2)
    }

    @Test("of another patient's sensors, and readings, are left out and counted; simulated ones are refused")
    func readings() throws {
        var text = ImportRoundTripTests.exported(ManualExportTests.entries, .csv)
        let header = try #require(text.split(separator: "\r\n").first)
        let columns = header.split(separator: ",").count
        let reading = "2026-01-02T03:04:05.000Z,Polar H10,C0:52:49:00:00:02,heart_rate_strap,heart_rate,72,/min,good"
        text += reading + String(repeating: ",", count: columns - 8) + "\r\n"
        let file = try ImportFormat.csv.read(
            Array(text.utf8),
            ImportContext(now: RandomRecord.now.advanced(by: .seconds(86_400)), temperatureUnit: .celsius))
        #expect(file.readings == 1 && file.refusals.isEmpty)
        #expect(file.entries.count == ManualExportTests.entries.count)
        let simulated = try ImportFormat.csv.read(
            Array(text.replacing(",false,", with: ",true,").utf8), ImportRoundTripTests.context)
        #expect(simulated.entries.isEmpty && simulated.refusals.allSatisfy { $0.reason.contains("simulated") })
    }

    @Test(
        "are none in what is no table of entries, which is said",
        arguments: ["", "\n\n", "a,b,c\n1,2,3\n", "{\"resourceType\":\"Bundle\"}"])
    func none(_ text: String) {
        #expect(throws: ImportError.self) { try ImportFormat.csv.read(Array(text.utf8), ImportRoundTripTests.context) }
    }

    @Test("in UTF-16 or another encoding are refused with what to do")
    func encodings() throws {
        #expect(throws: ImportError.self) {
            try ImportFormat.csv.read([0xFF, 0xFE, 0x74, 0x00], ImportRoundTripTests.context)
        }
        let latin = Array("time,kind,value\n2025-12-18T08:00:00Z,note,".utf8) + [0xE4, 0x0A]
        let file = try ImportFormat.csv.read(latin, ImportRoundTripTests.context)
        #expect(file.refusals.map(\.reason) == ["It is not UTF-8. Save the table as CSV in UTF-8."])
    }

    @Test("that are too many, too wide or too long are bounded")
    func bounds() throws {
        let wide = "time,kind,value\n" + String(repeating: ",", count: 100_000) + "x\n"
        #expect(try plan(wide).refusals.map(\.place) == ["line 2"])
        let long = "time,kind,value\n2025-12-18T08:00:00Z,note,\(String(repeating: "x", count: 1_000_000))\n"
        #expect(try plan(long).refusals.first?.reason.contains("4096 bytes") == true)
        let many = "time,kind,value\n" + String(repeating: "x,y,z\n", count: 2000)
        let text = try plan(many).text(isDryRun: true)
        #expect(text.split(separator: "\n").count == 502 && text.contains("and 1500 more"))
        #expect(throws: ImportError.self) {
            try ImportFormat.csv.read(
                [UInt8](repeating: 0x20, count: ImportedFile.sizeLimit + 1), ImportRoundTripTests.context)
        }
    }
}
