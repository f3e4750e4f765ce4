import HTTP
import Monitoring
import Testing
import Vitals

@testable import Sending

@Suite("What a FHIR server gets, and what it answers")
struct FHIRFormTests {
    private func form(patient: String? = nil, isSimulated: Bool = false) throws -> FHIRForm {
        FHIRForm(try #require(ServerAddress("https://fhir.example/r4")), patient: patient, isSimulated: isSimulated)
    }

    private func items() -> [SendingItem] {
        var mistake = RecordEntry(
            .vital(.bodyTemperature, VitalValue(hundredths: 3840), site: .mouth), enteredAt: .at(9))
        mistake.retract(at: .at(70))
        let lab = RecordEntry(
            .lab(LabResult([.init(.whiteCells, VitalValue(whole: 1200)), .init(.platelets, VitalValue(whole: 90))])),
            enteredAt: .at(10))
        return SendingSelection().items([
            .rate(60, at: 1), .rate(61, at: 2), .alarm(.active, at: 3), .entry(mistake), .entry(lab),
            .entry(
                RecordEntry(
                    .mascc(
                        MASCCIndex(
                            burden: .moderate, hasHypotension: false, hasPulmonaryDisease: true,
                            hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true,
                            isUnder60: false, assessedBy: "Ada")), enteredAt: .at(11))),
            .entry(RecordEntry(.medication(Medication("ondansetron")), enteredAt: .at(12))),
        ])
    }

    private func request(isSimulated: Bool = false, patient: String? = "Patient/123") throws -> (
        HTTPRequest, [[String: Any]]
    ) {
        var form = try form(patient: patient, isSimulated: isSimulated)
        let documents = items().flatMap { form.documents(for: $0) }
        let request = form.request(for: documents[...], secret: "word")
        let bundle = try #require(try object(request.body) as? [String: Any])
        #expect(bundle["type"] as? String == "transaction")
        return (request, try #require(bundle["entry"] as? [[String: Any]]))
    }

    /// The identifiers of a resource.
    private func identifiers(_ resource: [String: Any]) -> Set<String> {
        let list = resource["identifier"] as? [[String: Any]] ?? (resource["identifier"] as? [String: Any]).map { [$0] }
        return Set((list ?? []).compactMap { "\($0["system"] ?? "")|\($0["value"] ?? "")" })
    }

    @Test("is a transaction with its token, in which each resource is created only once")
    func transaction() throws {
        let (request, entries) = try request()
        #expect(request.method == "POST")
        #expect(request.url == "https://fhir.example/r4")
        #expect(request.fields.contains(.init("Authorization", "Bearer word")))
        #expect(!request.url.contains("word"))
        // A sensor, a reading, an alarm, a mistake, two values of a blood count, a form and a medication.
        #expect(entries.count == 8)
        #expect(Set(entries.compactMap { $0["fullUrl"] as? String }).count == 8)
        var conditions: Set<String> = []
        for entry in entries {
            let resource = try #require(entry["resource"] as? [String: Any])
            let request = try #require(entry["request"] as? [String: Any])
            let type = try #require(resource["resourceType"] as? String)
            let url = try #require(request["url"] as? String)
            let isMistake = resource["status"] as? String == "entered-in-error"
            #expect(request["method"] as? String == (isMistake ? "PUT" : "POST"))
            let condition = try #require(
                isMistake ? url.split(separator: "?").last.map(String.init) : request["ifNoneExist"] as? String)
            #expect(url == (isMistake ? "\(type)?\(condition)" : type))
            // What it is recognised by is one of its identifiers, and that of no other resource.
            #expect(identifiers(resource).contains(String(condition.dropFirst("identifier=".count))))
            #expect(conditions.insert(condition).inserted)
            if type != "Device" {
                #expect((resource["subject"] as? [String: Any])?["reference"] as? String == "Patient/123")
            }
        }
        let others = entries.flatMap { entry in identifiers(entry["resource"] as? [String: Any] ?? [:]) }
        for condition in conditions {
            #expect(others.count { "identifier=\($0)" == condition } == 1)
        }
    }

    @Test("has the same identifiers each time, and says what is simulated and that no patient is assigned")
    func identifiers() throws {
        let urls = try request().1.compactMap { $0["fullUrl"] as? String }
        let simulated = try request(isSimulated: true, patient: nil).1
        #expect(simulated.compactMap { $0["fullUrl"] as? String } == urls)
        for entry in simulated {
            let resource = try #require(entry["resource"] as? [String: Any])
            #expect("\(resource["meta"] ?? "")".contains("HTEST"))
            if let subject = resource["subject"] as? [String: Any] {
                #expect(subject["reference"] == nil)
                #expect(subject["display"] as? String == "Unassigned bed")
            }
        }
    }

    @Test("has an alarm with its attributes, its value and its limit")
    func alarm() throws {
        let resource = try #require(
            try request().1.compactMap { $0["resource"] as? [String: Any] }.first {
                $0["valueString"] as? String == "Heart rate low 43 < 50"
            })
        let components = try #require(resource["component"] as? [[String: Any]])
        #expect(components.compactMap { $0["valueString"] as? String } == ["start", "active", "enabled", "PH", "SP"])
        let value = try #require(components.last)
        #expect((value["valueQuantity"] as? [String: Any])?["value"] as? Int == 43)
        let range = try #require((value["referenceRange"] as? [[String: Any]])?.first)
        #expect((range["low"] as? [String: Any])?["value"] as? Int == 50)
        #expect((resource["device"] as? [String: Any])?["reference"] != nil)
    }

    private func verdict(_ status: Int, _ body: String = "", retryAfter: Int64? = nil) throws -> SendingVerdict {
        var form = try form()
        let documents = SendingSelection().items([.rate(60, at: 1)]).flatMap { form.documents(for: $0) }
        return form.verdict(
            on: HTTPResponse(status: status, body: Array(body.utf8), retryAfter: retryAfter), to: documents[...])
    }

    @Test("is accepted where every resource was created or found, and by nothing else that answers")
    func acceptance() throws {
        let created = #"{"response":{"status":"201 Created"}}"#
        func answer(_ entries: String, type: String = "transaction-response") -> String {
            #"{"resourceType":"Bundle","type":"\#(type)","entry":[\#(entries)]}"#
        }
        // The sensor and the reading.
        #expect(try verdict(200, answer("\(created),\(created)")) == .accepted)
        for body in [
            answer(created), answer("\(created),{}"), answer(#"\#(created),{"response":{"status":"404"}}"#), "<html>",
            "",
            answer("\(created),\(created)", type: "batch-response"),
        ] {
            #expect(try verdict(200, body) == .failed("the answer is not that of a FHIR server to a transaction"))
        }
    }

    @Test("is refused, not done or not allowed, by the status")
    func refusals() throws {
        let outcome = #"{"issue":[{"diagnostics":"bad\u001b[31m"}]}"#
        #expect(try verdict(422, outcome) == .refused("status 422: bad\u{FFFD}[31m"))
        for status in [400, 409, 412, 413] { #expect(try verdict(status) == .refused("status \(status)")) }
        for status in [401, 403] { #expect(try verdict(status) == .unauthorized) }
        for status in [404, 405, 410] {
            #expect(try verdict(status) == .failed("status \(status); look at the address"))
        }
        for status in [302, 408, 500, 502, 503, 504] { #expect(try verdict(status) == .failed("status \(status)")) }
        #expect(try verdict(429, retryAfter: 30) == .failed("status 429", retryAfter: 30))
    }

    @Test("is preliminary until somebody confirms it, which replaces the resource")
    func confirmation() throws {
        var form = try form()
        var entry = RecordEntry(
            .vital(.glucose, VitalValue(whole: 118), site: .finger), from: .sensor(.transmitter),
            EntryFacts(confirmation: .awaited), enteredAt: .at(9))
        var found: [String] = []
        for change in [{ $0.facts.sequence = 1 }, { $0.confirm(at: .at(70)) }, { $0.retract(at: .at(80)) }]
            as [(inout RecordEntry) -> Void]
        {
            change(&entry)
            let documents = SendingSelection().items([.entry(entry)]).flatMap { form.documents(for: $0) }
            let sent = try #require(object(documents[0].parts[0]) as? [String: Any])
            let (resource, request) = (sent["resource"] as? [String: Any], sent["request"] as? [String: Any])
            found.append("\(request?["method"] ?? "") \(resource?["status"] ?? "")")
        }
        #expect(found == ["POST preliminary", "PUT final", "PUT entered-in-error"])
    }
}
