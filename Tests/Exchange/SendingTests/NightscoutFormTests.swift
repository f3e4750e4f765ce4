import HTTP
import Monitoring
import Testing
import Vitals

@testable import Sending

@Suite("What a Nightscout site gets, and what it answers")
struct NightscoutFormTests {
    private func form(_ version: NightscoutForm.Version) throws -> NightscoutForm {
        NightscoutForm(try #require(ServerAddress("https://site.example")), version)
    }

    private func documents(_ rows: [RecordedRow]) throws -> [SendingDocument] {
        var form = try form(.one)
        return SendingSelection().items(rows).flatMap { form.documents(for: $0) }
    }

    private func objects(_ documents: [SendingDocument]) throws -> [[String: Any]] {
        try documents.map { try #require(try object($0.parts[0]) as? [String: Any]) }
    }

    private func glucose(_ value: Int, _ quality: Reading.Quality = .good) -> RecordedRow {
        .reading(.measured(VitalValue(whole: value), quality), at: 90, .glucose, from: .transmitter)
    }

    @Test("is a value of a sensor, and neither a raw estimate nor anything but glucose")
    func sensorValues() throws {
        let found = try documents([glucose(110)])
        let entry = try #require(try objects(found).first)
        #expect(found.map(\.place) == ["entries"])
        #expect(entry["type"] as? String == "sgv")
        #expect(entry["sgv"] as? Int == 110)
        #expect(entry["date"] as? Int == 1_767_323_070_000)
        #expect(entry["dateString"] as? String == "2026-01-02T03:04:30.000Z")
        #expect(entry["device"] as? String == "bedside Dexcom")
        #expect(entry["utcOffset"] as? Int == 0)
        #expect(entry["app"] as? String == "bedside")
        #expect(
            try documents([
                glucose(110, .rawEstimate), glucose(110, .calibrated), .rate(60, at: 1), .alarm(.active, at: 2),
                .reading(.noMeasurement(.below40), at: 200, .glucose, from: .transmitter),
                .entry(RecordEntry(.weight(VitalValue(whole: 70)), enteredAt: .at(3))),
            ]).isEmpty)
    }

    @Test("has the direction and the change within five minutes, where a value of the same sensor shows them")
    func directions() throws {
        let other = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Other", kind: .continuousGlucose)
        func row(_ value: Int, _ minute: Double, _ sensor: SensorIdentity = .transmitter) -> RecordedRow {
            .reading(.measured(VitalValue(whole: value), .good), at: minute * 60, .glucose, from: sensor)
        }
        let rows = [
            row(100, 0), row(300, 3, other), row(102, 5), row(110, 10), row(122, 15), row(140, 20), row(134, 25),
            row(120, 30), row(100, 35), row(100, 52), row(101, 54),
        ]
        let values = try objects(documents(rows))
        #expect(
            values.map { $0["direction"] as? String }
                == [
                    "NONE", "NONE", "Flat", "FortyFiveUp", "SingleUp", "DoubleUp", "FortyFiveDown", "SingleDown",
                    "DoubleDown", "NONE", "NONE",
                ])
        #expect(values.map { $0["delta"] as? Int } == [nil, nil, 2, 8, 12, 18, -6, -14, -20, nil, nil])
    }

    @Test("is a finger-prick as a value and as a check, and a note")
    func entries() throws {
        let meter = SensorIdentity(address: "C0:52:49:00:00:07", name: "Contour", kind: .glucose)
        let found = try documents([
            .entry(
                RecordEntry(
                    .vital(.glucose, VitalValue(hundredths: 11_850), site: .finger), from: .sensor(meter),
                    taken: .at(1),
                    enteredAt: .at(4))),
            .entry(RecordEntry(.vital(.glucose, VitalValue(whole: 90), site: nil), enteredAt: .at(5))),
            .entry(RecordEntry(.note("ate a biscuit"), enteredAt: .at(6))),
        ])
        #expect(found.map(\.place) == ["entries", "treatments", "entries", "treatments", "treatments"])
        let values = try objects(found)
        #expect(values[0]["mbg"] as? Int == 119)
        #expect(values[0]["type"] as? String == "mbg")
        #expect(values[1]["eventType"] as? String == "BG Check")
        #expect(values[1]["glucose"] as? Int == 119)
        #expect(values[1]["glucoseType"] as? String == "Finger")
        #expect(values[1]["units"] as? String == "mg/dl")
        #expect(values[1]["created_at"] as? String == "2026-01-02T03:03:01.000Z")
        #expect(values[3]["glucoseType"] as? String == "Manual")
        #expect(values[4]["eventType"] as? String == "Note")
        #expect(values[4]["notes"] as? String == "ate a biscuit")
    }

    @Test("is nothing until somebody confirms it, nor when it is discarded instead")
    func confirmation() throws {
        let entry = RecordEntry(
            .vital(.glucose, VitalValue(whole: 400), site: .finger), from: .sensor(.transmitter),
            EntryFacts(confirmation: .awaited), enteredAt: .at(1))
        #expect(try documents([.entry(entry)]).isEmpty)
        var discarded = entry
        discarded.retract(at: .at(60), reason: RecordEntry.discarded)
        #expect(try documents([.entry(discarded)]).isEmpty)
        var confirmed = entry
        confirmed.confirm(at: .at(60))
        #expect(try documents([.entry(confirmed)]).map(\.place) == ["entries", "treatments"])
        confirmed.retract(at: .at(70))
        #expect(try documents([.entry(confirmed)]).map(\.place) == ["treatments"])
    }

    @Test("is a note where an entry was a mistake, because the site keeps what it has")
    func mistakes() throws {
        var entry = RecordEntry(.vital(.glucose, VitalValue(whole: 400), site: .finger), enteredAt: .at(1))
        entry.retract(at: .at(60), reason: "honey on the finger")
        let found = try documents([.entry(entry)])
        #expect(found.map(\.place) == ["treatments"])
        #expect(
            try objects(found).first?["notes"] as? String
                == "Taken back: the blood glucose 400 mg/dL of 2026-01-02T03:03:01.000Z was a mistake: honey on the finger"
        )
    }

    @Test("comes with the hash of the secret, or with an access token, never in the address of version 1")
    func versionOne() throws {
        let found = try documents([glucose(110)])
        let request = try form(.one).request(for: found[...], secret: "a secret of mine")
        #expect(request.url == "https://site.example/api/v1/entries.json")
        // printf 'a secret of mine' | sha1sum
        #expect(request.fields.contains(.init("api-secret", "c0f915208744ee1d93beaace80c3d4b95af06d25")))
        #expect(try (object(request.body) as? [Any])?.count == 1)
        let token = "bedside-0123456789abcdef"
        #expect(try form(.one).request(for: found[...], secret: token).fields.contains(.init("api-secret", token)))
        #expect(try form(.one).login(with: token) == nil)
    }

    @Test("comes to version 3 one by one, with a token that is exchanged")
    func versionThree() throws {
        let found = try documents([glucose(110)])
        #expect(try form(.three).documentLimit == 1)
        let login = try form(.three).login(with: "bedside-0123456789abcdef")
        #expect(login?.url == "https://site.example/api/v2/authorization/request/bedside-0123456789abcdef")
        #expect(
            try form(.three).secret(in: HTTPResponse(status: 200, body: Array(#"{"token":"long"}"#.utf8))) == "long")
        #expect(try form(.three).secret(in: HTTPResponse(status: 200, body: Array("<html>".utf8))) == nil)
        let request = try form(.three).request(for: found[...], secret: "long")
        #expect(request.url == "https://site.example/api/v3/entries")
        #expect(request.fields.contains(.init("Authorization", "Bearer long")))
        #expect(try (object(request.body) as? [String: Any])?["sgv"] as? Int == 110)
    }

    @Test("is accepted by the answers of a site only")
    func verdicts() throws {
        let found = try documents([glucose(110)])
        func verdict(_ version: NightscoutForm.Version, _ status: Int, _ body: String) throws -> SendingVerdict {
            try form(version).verdict(on: HTTPResponse(status: status, body: Array(body.utf8)), to: found[...])
        }
        #expect(try verdict(.one, 200, #"[{"_id":"1"}]"#) == .accepted)
        #expect(try verdict(.three, 201, #"{"status":201,"identifier":"1"}"#) == .accepted)
        #expect(try verdict(.three, 200, #"{"status":200,"identifier":"1","isDeduplication":true}"#) == .accepted)
        for body in ["[]", "{}", "<html>"] {
            #expect(try verdict(.one, 200, body) == .failed("the answer is not that of a Nightscout site"))
            #expect(try verdict(.three, 200, body) == .failed("the answer is not that of a Nightscout site"))
        }
        #expect(try verdict(.one, 401, "") == .unauthorized)
        #expect(try verdict(.three, 400, #"{"status":400,"message":"Bad date"}"#) == .refused("status 400: Bad date"))
    }

    @Test(
        "has the hash of FIPS 180-4",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        ])
    func hash(text: String, digest: String) {
        #expect(SHA1.hexadecimal(text) == digest)
    }
}
