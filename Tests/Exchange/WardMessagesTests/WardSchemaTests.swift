import Foundation
import JSON
import TestSupport
import Testing

@testable import WardMessages

@Suite("The JSON schema of messages for a ward", .enabled(if: PythonScript.isHere(with: "jsonschema")))
struct WardSchemaTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let documentation = folder.appending(
        path: "../../../Sources/Exchange/WardMessages/WardMessages.docc")

    private func validator() throws -> PythonScript {
        try PythonScript(
            Self.folder.appending(path: "validate.py").path,
            [Self.documentation.appending(path: "ward-message.schema.json").path])
    }

    @Test("holds for every message")
    func holds() throws {
        let validator = try validator()
        for (_, payload, _) in Samples.all {
            let line = String(decoding: payload, as: UTF8.self)
            #expect(try validator.answer(to: line) == "ok", "\(line)")
        }
    }

    @Test("refuses what the decoder refuses")
    func refuses() throws {
        let validator = try validator()
        let changes = [
            ("\"v\":1", "\"v\":2"), ("\"seq\":", "\"xseq\":"), ("\"age_ms\":300", "\"age_ms\":-1"),
            ("\"spo2\",\"state\"", "\"mood\",\"state\""), ("\"priority\":\"medium\"", "\"priority\":\"urgent\""),
            ("\"session\":\"0f", "\"session\":\"+/"), ("\"digest\":\"", "\"digest\":\"x"),
            ("\"historical\":true", "\"historical\":false"), ("\"result\":\"accepted\"", "\"result\":\"perhaps\""),
            ("\"sound\":\"on\"", "\"sound\":\"loud\""), ("\"state\":\"offline\"", "\"state\":\"away\""),
        ]
        for (old, new) in changes {
            var count = 0
            for (subject, payload, _) in Samples.all {
                let text = String(decoding: payload, as: UTF8.self)
                let changed = text.replacing(old, with: new)
                guard changed != text else { continue }
                count += 1
                #expect(try validator.answer(to: changed) != "ok", "\(changed)")
                // Of recorded rows only the wrong one is refused.
                let decoded = Result { try WardDecoder.decode(subject, Array(changed.utf8)) }
                if case .success(.history(let batch)) = decoded {
                    #expect(batch.refusals.count == 1 && !batch.rows.isEmpty, "\(changed)")
                } else if new.contains("mood"), case .success(.birth(let birth)) = decoded {
                    // The schema is of this version; a newer one may know more vitals.
                    #expect(!birth.vitals.contains { $0.reading.vital == .oxygenSaturation }, "\(changed)")
                } else {
                    #expect(throws: WardMessageError.self, "\(changed)") { try decoded.get() }
                }
            }
            #expect(count > 0, "\(old)")
        }
    }

    @Test("and the article name every field that is sent, and no other")
    func article() throws {
        var sent: Set<String> = []
        func collect(_ value: JSON5Value) {
            for member in value.members ?? [] {
                sent.insert(member.name)
                collect(member.value)
            }
            value.elements?.forEach(collect)
        }
        for (_, payload, _) in Samples.all { collect(try JSON5Parser.parse(payload, .json)) }
        let text = try String(contentsOf: Self.documentation.appending(path: "WardMessages.md"), encoding: .utf8)
        var documented: Set<String> = []
        let fields = text.split(separator: "## Fields of all messages").last ?? ""
        for line in fields.split(separator: "\n") where line.hasPrefix("| `") {
            let cell = line.split(separator: "|")[0]
            for match in cell.matches(of: /`([a-z_0-9]+)`/) { documented.insert(String(match.1)) }
        }
        #expect(sent.subtracting(documented).isEmpty)
        // Fields of the lines of watch that no sample has.
        let rare: Set<String> = [
            "equipment", "device_time", "late", "measured_from", "measured_to", "latched", "confirmed", "unconfirmed",
        ]
        #expect(documented.subtracting(sent).subtracting(rare).isEmpty)
    }
}
