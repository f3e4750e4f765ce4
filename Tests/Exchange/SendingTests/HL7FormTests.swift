import HTTP
import Monitoring
import Testing
import Vitals

@testable import Sending

@Suite("What an interface engine gets, and what it answers")
struct HL7FormTests {
    private func form(
        _ content: HL7Form.Content = .observations, patient: String = "", isSimulated: Bool = false
    ) throws -> HL7Form {
        HL7Form(
            try #require(MLLPAddress("mllp://engine.example")), content, patient: patient, location: "ICU^2^12",
            isSimulated: isSimulated)
    }

    /// The messages of rows, each as its segments with their fields.
    private func messages(_ rows: [RecordedRow], _ form: HL7Form) -> [[[String]]] {
        form.documents(of: SendingSelection().items(rows)).map { document in
            let text = String(decoding: document.parts.flatMap(\.self), as: UTF8.self)
            #expect(text.hasSuffix("\r"))
            return text.split(separator: "\r").map { segment in
                segment.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            }
        }
    }

    private func saturation(_ outcome: Reading.Outcome, at seconds: Double) -> RecordedRow {
        .reading(outcome, at: seconds, .oxygenSaturation)
    }

    @Test("is a message for each sensor and minute, with its interval and each vital that was measured")
    func readings() throws {
        let rows: [RecordedRow] = [
            .rate(60, at: 1), .rate(61, at: 59),
            saturation(.measured(VitalValue(hundredths: 9750), .questionable), at: 20),
            .rate(62, at: 61), .reading(.measured(VitalValue(whole: 110), .good), at: 30, .glucose, from: .transmitter),
        ]
        let found = messages(rows, try form(patient: "123^^^HOSPITAL^MR"))
        #expect(found.count == 3)
        let message = try #require(found.first)
        #expect(message.map { $0[0] } == ["MSH", "PID", "PV1", "OBR", "OBX", "OBX", "OBX"])
        #expect(message[0][8] == "ORU^R01^ORU_R01")
        #expect(message[0][10] == "P")
        #expect(message[0][11] == "2.6")
        #expect(message[0][17] == "UNICODE UTF-8")
        #expect(message[0][20] == "IHE_PCD_001^IHE PCD^1.3.6.1.4.1.19376.1.6.1.1.1^ISO")
        #expect(message[1][3] == "123^^^HOSPITAL^MR")
        #expect(message[2][3] == "ICU^2^12")
        #expect(message[3][7] == "20260102030300.000+0000")
        #expect(message[3][8] == "20260102030400.000+0000")
        #expect(message[4][3...5] == ["69965^MDC_DEV_MON_PHYSIO_MULTI_PARAM_MDS^MDC", "1.0.0.0", ""])
        #expect(message[4][11] == "X")
        #expect(message[4][18].hasSuffix("^UUID"))
        #expect(message[5][3] == "147842^MDC_ECG_HEART_RATE^MDC")
        #expect(message[5][5...6] == ["61", "264864^MDC_DIM_BEAT_PER_MIN^MDC"])
        #expect(message[5][11] == "R")
        // Periodic values have no time of their own.
        #expect(message[5].count == 12)
        #expect(message[6][5] == "97.5")
        #expect(message[6][8] == "QUES")
    }

    @Test("is no observation where there is no measurement, and no message without an observation")
    func absences() throws {
        let off = Reading.Outcome.noMeasurement(.offBody)
        let rows: [RecordedRow] = [
            .rate(60, at: 1), saturation(off, at: 2), .rate(20, .malfunction, at: 61), saturation(off, at: 62),
            .reading(.measured(VitalValue(whole: 110), .rawEstimate), at: 30, .glucose, from: .transmitter),
            .reading(.measured(VitalValue(whole: 110), .calibrated), at: 31, .glucose, from: .transmitter),
        ]
        let found = messages(rows, try form())
        #expect(found.count == 1)
        #expect(found.first?.count == 6)
        #expect(found.first?[1][3] == "")
    }

    @Test("is that of a demonstration where data are simulated")
    func simulated() throws {
        #expect(messages([.rate(60, at: 1)], try form(isSimulated: true)).first?[0][10] == "D")
    }

    @Test("is preliminary until somebody confirms it, each time in a message of its own")
    func confirmation() throws {
        var entry = RecordEntry(
            .vital(.heartRate, VitalValue(whole: 150), site: nil), from: .sensor(.strap),
            EntryFacts(confirmation: .awaited), taken: .at(1), enteredAt: .at(9))
        let waiting = messages([.entry(entry)], try form())
        entry.confirm(at: .at(70))
        let confirmed = messages([.entry(entry)], try form())
        entry.retract(at: .at(80))
        let deleted = messages([.entry(entry)], try form())
        let all = [waiting, confirmed, deleted]
        #expect(all.map { $0.first?[5][11] } == ["P", "F", "D"])
        #expect(Set(all.map { $0.first?[0][9] }).count == 3)
    }

    @Test("is a measurement that was entered, with its time; a correction and a deletion say so")
    func entries() throws {
        var mistake = RecordEntry(
            .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: 93)), taken: .at(1), enteredAt: .at(9))
        let valid = messages([.entry(mistake)], try form())
        mistake.retract(at: .at(70))
        let deleted = messages([.entry(mistake)], try form())
        var corrected = RecordEntry(.bloodPressure(BloodPressure(systolic: 130, diastolic: 80)), enteredAt: .at(71))
        corrected.correction = .init(of: mistake.id)
        #expect(valid.first?[5...7].map { $0[5] } == ["120", "80", "93"])
        #expect(valid.first?[5][11] == "F")
        #expect(valid.first?[5][14] == "20260102030301.000+0000")
        #expect(deleted.first?[5][11] == "D")
        #expect(deleted.first?[0][9] != valid.first?[0][9])
        #expect(messages([.entry(corrected)], try form()).first?[5][11] == "C")
        // A note, and a value whose time is unknown.
        let unknown = RecordEntry(
            .weight(VitalValue(whole: 70)), from: .sensor(.strap), EntryFacts(isTimeKnown: false), enteredAt: .at(3))
        #expect(messages([.entry(RecordEntry(.note("x"), enteredAt: .at(2))), .entry(unknown)], try form()).isEmpty)
    }

    @Test("is an alarm in seven observations, which names the first message of its episode")
    func alarms() throws {
        let rows: [RecordedRow] = [.rate(43, at: 1), .alarm(.active, at: 3), .alarm(.ended, at: 9, number: 2)]
        let found = messages(rows, try form(.alarms))
        #expect(found.count == 2)
        let message = try #require(found.first)
        #expect(message.map { $0[0] } == ["MSH", "PID", "PV1", "OBR"] + Array(repeating: "OBX", count: 8))
        #expect(message[0][8] == "ORU^R40^ORU_R40")
        #expect(message[3][4] == "196616^MDC_EVT_ALARM^MDC")
        #expect(message[5][3...5] == ["196670^MDC_EVT_LO^MDC", "1.0.0.147842.1", "Heart rate low 43 < 50"])
        #expect(message[5][8] == "PH~SP")
        #expect(
            message[6][3...7] == [
                "147842^MDC_ECG_HEART_RATE^MDC", "1.0.0.147842.2", "43", "264864^MDC_DIM_BEAT_PER_MIN^MDC", "50-",
            ])
        #expect(message[7...11].map { $0[5] } == ["start", "active", "enabled", "PH", "SP"])
        #expect(message[3].count == 8)
        let last = try #require(found.last)
        #expect(last[7...8].map { $0[5] } == ["end", "inactive"])
        let first = try #require(message[3][3].split(separator: "^").first)
        #expect(last[3][29] == "^\(first)&BEDSIDE")
        #expect(last[3][3] != message[3][3])
    }

    @Test("has texts with their delimiters escaped")
    func texts() {
        #expect(HL7Message.text(#"a|b^c&d~e\f"# + "\r\ng") == #"a\F\b\S\c\T\d\R\e\E\f"# + "\u{FFFD}\u{FFFD}g")
    }

    private func verdict(_ answer: String, identifier: String = "m1") throws -> SendingVerdict {
        let document = SendingDocument(parts: [], title: "", identifier: "m1")
        return try form().verdict(
            onAnswer: .message(Array(answer.replacing("ID", with: identifier).utf8)), to: [document])
    }

    @Test("is accepted, refused, or not understood, by the acknowledgement of this message")
    func verdicts() throws {
        for code in ["AA", "CA"] {
            #expect(try verdict("MSH|^~\\&|\rMSA|\(code)|ID\r") == .accepted)
            #expect(try verdict("MSH|^~\\&|\r\nMSA|\(code)|ID\r\n") == .accepted)
            #expect(try verdict("MSH|^~\\&|\rMSA|\(code)|ID") == .accepted)
        }
        for code in ["AE", "AR", "CE", "CR"] {
            #expect(try verdict("MSH|^~\\&|\rMSA|\(code)|ID\r") == .refused(code))
            #expect(try verdict("MSH|^~\\&|\rMSA|\(code)|ID|bad\u{1B}[31m") == .refused("\(code): bad\u{FFFD}[31m"))
        }
        #expect(
            try verdict("MSH|^~\\&|\rMSA|AA|ID", identifier: "m2") == .failed("the answer acknowledges another message")
        )
        for answer in ["", "Welcome", "MSA|AA|ID", "MSH|^~\\&|\rMSA|AA", "MSH|^~\\&|\rMSA|OK|ID", "MSH", "MSH\rMSA"] {
            #expect(try verdict(answer) == .failed("the answer is no acknowledgement"))
        }
        #expect(
            try form().verdict(onAnswer: .http(HTTPResponse(status: 200)), to: [SendingDocument(parts: [], title: "")])
                == .failed("the answer is no acknowledgement"))
    }
}
