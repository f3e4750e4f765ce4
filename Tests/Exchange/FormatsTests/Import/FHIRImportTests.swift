import Monitoring
import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import Formats

@Suite("Entries of FHIR resources of other programs")
struct FHIRImportTests {
    private func file(_ text: String, subject: String? = nil) throws -> ImportedFile {
        var context = ImportRoundTripTests.context
        context.subject = subject
        return try ImportFormat.fhir.read(Array(text.utf8), context)
    }

    private func text(_ entries: [ImportedEntry]) -> [String] {
        ImportPlan(
            file(of: entries), into: [], now: RandomRecord.now, source: "x", acceptsRare: true
        ).additions.map(\.entry.text)
    }

    private func file(of entries: [ImportedEntry]) -> ImportedFile {
        var file = ImportedFile()
        for entry in entries { file.add(entry) }
        return file
    }

    private static func observation(
        _ code: String, _ value: String, _ unit: String, more: String = "", time: String = "2025-12-18T07:30:00+01:00"
    ) -> String {
        """
        {"resourceType":"Observation","status":"final","code":{"coding":[{"system":"http://loinc.org","code":"\(code)"}]},\
        "effectiveDateTime":"\(time)","valueQuantity":{"value":\(value),"system":"http://unitsofmeasure.org",\
        "code":"\(unit)"}\(more)}
        """
    }

    private static func bundle(_ resources: [String]) -> String {
        let entries = resources.map { "{\"resource\":\($0)}" }
        return #"{"resourceType":"Bundle","type":"collection","entry":["# + entries.joined(separator: ",\n") + "]}"
    }

    @Test(
        "are converted from the units that others use",
        arguments: [
            ("8310-5", "101.3", "[degF]", "body temperature 38.5 °C"),
            ("8331-1", "38.45", "Cel", "body temperature 38.45 °C, mouth"),
            ("8867-4", "71.6", "/min", "heart rate 72 /min"), ("59408-5", "97", "%", "oxygen saturation 97 %"),
            ("29463-7", "72400", "g", "weight 72.4 kg"), ("3141-9", "160", "[lb_av]", "weight 72.57 kg"),
            ("15074-8", "5.8", "mmol/L", "glucose 104.49 mg/dL"), ("2345-7", "105", "mg/dL", "glucose 105 mg/dL"),
            (
                "718-7", "98", "g/L",
                "blood count: haemoglobin 9.8 g/dL, ANC unknown without white cells and neutrophils"
            ),
            (
                "777-3", "45", "10*3/uL",
                "blood count: platelets 45 × 10⁹/L, ANC unknown without white cells and neutrophils"
            ),
            ("751-8", "0.42", "10*9/L", "blood count: ANC 420/µL (severe neutropenia), neutrophil count 420 /µL"),
        ])
    func units(_ code: String, _ value: String, _ unit: String, _ expected: String) throws {
        let file = try file(Self.observation(code, value, unit))
        #expect(file.refusals.isEmpty, "\(file.refusals)")
        #expect(text(file.entries) == [expected])
        #expect(file.entries.first?.taken == 1_766_039_400_000)
    }

    @Test("of one blood sample are one blood count, in a Bundle or a line each")
    func bloodCount() throws {
        let resources = [
            Self.observation("6690-2", "1.2", "10*9/L"), Self.observation("770-8", "35", "%"),
            Self.observation("718-7", "9.8", "g/dL"),
            Self.observation("6690-2", "2.2", "10*9/L", time: "2025-12-19T07:30:00+01:00"),
        ]
        for text in [
            Self.bundle(resources), resources.joined(separator: "\n"), "[\(resources.joined(separator: ","))]",
        ] {
            let file = try file(text)
            #expect(self.text(file.entries).count == 2)
            #expect(self.text(file.entries).first?.contains("ANC 420/µL") == true)
        }
        let twice = try file(Self.bundle(resources + [resources[0]]))
        #expect(twice.refusals.map(\.place) == ["entry 5"])
        #expect(twice.refusals.first?.reason.contains("two values of white cells") == true)
    }

    @Test("are blood pressures, medication, symptoms and notes")
    func others() throws {
        let pressure = """
            {"resourceType":"Observation","status":"final","code":{"coding":[{"system":"http://loinc.org","code":"85354-9"}]},
            "effectiveDateTime":"2025-12-18T07:30:00Z","component":[
            {"code":{"coding":[{"code":"8480-6"}]},"valueQuantity":{"value":16,"code":"kPa"}},
            {"code":{"coding":[{"code":"8462-4"}]},"valueQuantity":{"value":80,"unit":"mmHg"}}]}
            """
        let medication = """
            {"resourceType":"MedicationAdministration","status":"completed","medicationCodeableConcept":{"coding":[
            {"display":"Paracetamol 500 mg Tablet"}]},"effectivePeriod":{"start":"2025-12-18T07:30:00Z"},
            "dosage":{"dose":{"value":2,"unit":"tablets"}}}
            """
        let symptom = """
            {"resourceType":"Observation","status":"final","code":{"coding":[{"system":"http://snomed.info/sct",
            "code":"422587007"}]},"effectiveDateTime":"2025-12-18T07:30:00Z","valueInteger":6}
            """
        let patient = #"{"resourceType":"Patient","id":"1"}"#
        let file = try file(Self.bundle([pressure, medication, symptom, patient]))
        #expect(
            text(file.entries) == [
                "blood pressure 120/80 mmHg", "medication: Paracetamol 500 mg Tablet 2 tablets, antipyretic",
                "symptom: nausea 6/10, moderate",
            ])
        #expect(file.others == 1 && file.refusals.isEmpty)
    }

    @Test(
        "that cannot be, or say nothing, are refused with the entry, the reason and what to do",
        arguments: [
            (observation("8310-5", "11912", "Cel"), "is not a temperature"),
            (observation("8310-5", "119.12", "Cel"), "not a possible body temperature"),
            (observation("8310-5", "38.5", "K"), "no unit of a temperature"),
            (observation("8310-5", "38.5", "Cel", time: "2031-01-01T00:00:00Z"), "yet to come"),
            (observation("8310-5", "38.5", "Cel", time: "2025-12"), "a date with a time of day"),
            (observation("1234-5", "38.5", "Cel"), "nothing that can be entered"),
            (observation("8310-5", "1e400", "Cel"), "no number"), (observation("8867-4", "-72", "/min"), "not a valid"),
            (observation("8310-5", "38.5", "Cel").replacing("final", with: "entered-in-error"), "entered in error"),
            (observation("8310-5", "38.5", "Cel").replacing("final", with: "cancelled"), "no result"),
            (
                observation("6690-2", "0.1", "10*9/L").replacing("{\"value\"", with: "{\"comparator\":\"<\",\"value\""),
                "only a bound"
            ),
            (observation("8310-5", "38.5", "Cel", more: #","meta":{"tag":[{"code":"HTEST"}]}"#), "simulated"),
            (#"{"resourceType":"MedicationAdministration","status":"not-done"}"#, "no result"),
            (
                #"{"resourceType":"QuestionnaireResponse","status":"completed","authored":"2025-12-18T07:30:00Z"}"#,
                "no MASCC"
            ),
        ])
    func refused(_ resource: String, _ reason: String) throws {
        let file = try file(Self.bundle([resource]))
        #expect(file.entries.isEmpty)
        #expect(file.refusals.map(\.place) == ["entry 1"])
        #expect(file.refusals.first?.reason.contains(reason) == true, "\(file.refusals)")
    }

    @Test("of several patients are refused, unless one is chosen")
    func subjects() throws {
        let resources = [1, 2].map {
            Self.observation("8867-4", "7\($0)", "/min", more: #","subject":{"reference":"Patient/\#($0)"}"#)
        }
        #expect(throws: ImportError.self) { try file(Self.bundle(resources)) }
        let one = try file(Self.bundle(resources), subject: "Patient/2")
        #expect(text(one.entries) == ["heart rate 72 /min"])
        #expect(one.others == 1)
    }

    private static func pressure(_ components: [(code: String, value: Int, unit: String)]) -> String {
        let parts = components.map {
            """
            {"code":{"coding":[{"system":"http://loinc.org","code":"\($0.code)"}]},\
            "valueQuantity":{"value":\($0.value),"code":"\($0.unit)"}}
            """
        }
        return """
            {"resourceType":"Observation","status":"final",\
            "code":{"coding":[{"system":"http://loinc.org","code":"85354-9"}]},\
            "effectiveDateTime":"2025-12-18T07:30:00+01:00","component":[\(parts.joined(separator: ","))]}
            """
    }

    @Test(
        "with a component twice are refused, whichever comes first and whatever it says",
        arguments: ["8480-6", "8462-4", "8478-0", "8867-4"])
    func components(code: String) throws {
        let once: [(code: String, value: Int, unit: String)] = [
            ("8480-6", 120, "mm[Hg]"), ("8462-4", 80, "mm[Hg]"), ("8478-0", 93, "mm[Hg]"),
            ("8867-4", 71, "/min"),
        ]
        #expect(text(try file(Self.pressure(once)).entries) == ["blood pressure 120/80/93 mmHg, pulse 71"])
        let again = try #require(once.first { $0.code == code })
        for place in 0...once.count {
            for value in [again.value, again.value + 10] {
                var twice = once
                twice.insert((code, value, again.unit), at: place)
                let file = try file(Self.pressure(twice))
                #expect(file.entries.isEmpty)
                #expect(
                    file.refusals.first?.reason.hasPrefix("There are two values of the ") == true, "\(file.refusals)")
            }
        }
    }

    @Test("with an answer twice are refused", arguments: MASCCIndex.Item.allCases)
    func answers(item: MASCCIndex.Item) throws {
        func answer(_ item: MASCCIndex.Item, _ words: [String]) -> String {
            let answers = words.map { #"{"valueString":"\#($0)"}"# }.joined(separator: ",")
            return #"{"linkId":"\#(item.rawValue)","answer":[\#(answers)]}"#
        }
        func word(_ item: MASCCIndex.Item) -> String { item == .burden ? "mild" : "no" }
        func file(_ items: [String]) throws -> ImportedFile {
            try self.file(
                #"{"resourceType":"QuestionnaireResponse","status":"completed","authored":"2025-12-18T07:30:00Z","item":["#
                    + items.joined(separator: ",") + "]}")
        }
        let items = MASCCIndex.Item.allCases.map { answer($0, [word($0)]) }
        #expect(try file(items).entries.count == 1)
        let twice = MASCCIndex.Item.allCases.map { answer($0, $0 == item ? [word($0), word($0)] : [word($0)]) }
        for items in [items + [answer(item, [word(item)])], [answer(item, ["yes"])] + items, twice] {
            let file = try file(items)
            #expect(file.entries.isEmpty)
            #expect(file.refusals.first?.reason.hasPrefix("There are two answers") == true, "\(file.refusals)")
        }
    }

    /// Resources about these subjects, and what else is in the Bundle.
    private static func bundle(about subjects: [String], _ others: [String] = []) -> String {
        bundle(
            subjects.enumerated().map {
                observation("8867-4", "\(70 + $0.offset)", "/min", more: ",\"subject\":{\($0.element)}")
            } + others)
    }

    private static func reference(_ text: String) -> String { #""reference":"\#(text)""# }

    private static func identifier(_ value: String, _ system: String = "urn:x") -> String {
        #""identifier":{"system":"\#(system)","value":"\#(value)"}"#
    }

    @Test("of one patient are imported, in whatever form each names that one")
    func oneSubject() throws {
        let forms = [
            Self.reference("Patient/1"), Self.reference("https://example.org/fhir/Patient/1"),
            Self.reference("http://example.org/fhir/Patient/1/"), Self.reference("Patient/1/_history/2"),
            Self.reference("https://example.org/fhir/Patient/1/_history/7"),
            Self.reference("Patient/1") + "," + Self.identifier("A"), Self.identifier("A"),
            Self.identifier("9", "urn:other"), #""display":"Ada""#,
        ]
        let shared = Self.reference("urn:example:Patient/1")
        for first in forms {
            for second in forms {
                for subjects in [[first, second], [second, first, forms[0]]] {
                    let file = try file(Self.bundle(about: subjects))
                    #expect(file.entries.count == subjects.count && file.refusals.isEmpty, "\(subjects)")
                }
            }
            if !first.contains("example.org") {
                #expect(try file(Self.bundle(about: [first, shared])).entries.count == 2, "\(first)")
            }
        }
        #expect(try file(Self.bundle(about: forms)).entries.count == forms.count)
        for name in ["Patient/1", "https://example.org/fhir/Patient/1", "Patient/1/_history/3", "A", "urn:x|A"] {
            let file = try file(Self.bundle(about: forms), subject: name)
            #expect(file.entries.count == forms.count && file.others == 0, "\(name)")
        }
    }

    @Test("about a Patient in the same Bundle mean that one by its address, its id and its identifiers")
    func patientResource() throws {
        let patient = #"""
            {"fullUrl":"urn:uuid:6f1c2d3e-0000-4000-8000-000000000001","resource":{"resourceType":"Patient","id":"1",\#
            "identifier":[{"system":"urn:x","value":"A"},{"system":"urn:x","value":"B"}]}}
            """#
        let subjects = [
            Self.reference("Patient/1"), Self.reference("urn:uuid:6F1C2D3E-0000-4000-8000-000000000001"),
            Self.identifier("A"), Self.identifier("B"),
        ]
        let text = Self.bundle(about: subjects).replacing("\"entry\":[", with: "\"entry\":[\(patient),")
        #expect(try file(text).entries.count == 4)
        // Without it nobody knows.
        #expect(throws: ImportError.self) { try file(Self.bundle(about: subjects)) }
    }

    @Test(
        "of two patients stay those of two",
        arguments: [
            [reference("Patient/1"), reference("Patient/2")], [reference("Patient/1"), reference("Patient/11")],
            [reference("https://a.example/Patient/1"), reference("https://b.example/Patient/1")],
            [reference("Patient/1/_history/1"), reference("Patient/2/_history/1")],
            [identifier("A"), identifier("B")], [reference("Patient/1") + "," + identifier("A"), identifier("B")],
            [reference("Patient/1"), identifier("A"), identifier("B")],
            [reference("Group/1"), reference("Patient/1")],
        ])
    func twoSubjects(subjects: [String]) throws {
        for subjects in [subjects, subjects.reversed()] {
            #expect(throws: ImportError.self, "\(subjects)") { try file(Self.bundle(about: subjects)) }
        }
    }

    @Test("of a device are readings, and left out; a laboratory's device is none")
    func devices() throws {
        let device = #","device":{"reference":"Device/1"}"#
        let file = try file(
            Self.bundle([
                Self.observation("8867-4", "72", "/min", more: device),
                Self.observation(
                    "6690-2", "1.2", "10*9/L", more: device + #","category":[{"coding":[{"code":"laboratory"}]}]"#),
            ]))
        #expect(file.readings == 1 && file.entries.count == 1)
    }

    @Test("with an identifier are known by it, and without one by time and content")
    func identity() throws {
        func plan(_ more: String, _ value: String, into record: [RecordedEntry] = []) throws -> ImportPlan {
            ImportPlan(
                try file(Self.observation("8867-4", value, "/min", more: more)), into: record, now: RandomRecord.now,
                source: "x", acceptsRare: false)
        }
        let named = #","identifier":[{"system":"https://ward.example/obs","value":"1"}]"#
        let first = try plan(named, "72").additions.map { RecordedEntry($0.entry, run: 1) }
        #expect(first.count == 1)
        #expect(try plan(named, "72", into: first).known == 1)
        // A server's mere id says nothing about another server's.
        let plain = try plan(#","id":"1""#, "80").additions.map { RecordedEntry($0.entry, run: 1) }
        #expect(try plan(#","id":"1""#, "80", into: plain).known == 1)
        #expect(try plan(#","id":"1""#, "81", into: plain).additions.count == 1)
    }

    @Test(
        "are none in what is no FHIR, which is said",
        arguments: ["", "[]", "{}", "hello", "{\"resourceType\":", "[[[[", "{\"resourceType\":7}"])
    func none(_ text: String) {
        #expect(throws: ImportError.self) { try file(text) }
    }
}
