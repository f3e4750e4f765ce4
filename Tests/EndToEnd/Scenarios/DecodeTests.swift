import Foundation
import TestSupport
import Testing

/// `bedside decode` as another program uses it; what it says of each characteristic is tested with the decoders.
@Suite("bedside decode", .startsPrograms)
struct DecodeTests {
    private func object(_ text: String) throws -> NSDictionary {
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(object as? NSDictionary)
    }

    @Test("prints one characteristic as one line of JSON")
    func decoded() async throws {
        let outcome = try await ProgramWithPipes.run(["decode", "2A37", "16 4D 16:03"])
        #expect(outcome.status == .exited(0))
        #expect(outcome.errorOutput.isEmpty)
        #expect(outcome.output.count { $0 == "\n" } == 1)
        let found = try object(outcome.output)
        #expect(found["characteristic"] as? String == "2A37")
        #expect(found["name"] as? String == "Heart Rate Measurement")
        let value = try #require(found["value"] as? NSDictionary)
        #expect(value["heart_rate_bpm"] as? Int == 77)
        #expect(value["sensor_contact"] as? String == "detected")
        #expect(value["energy_expended_kj"] is NSNull)
        #expect(value["rr_intervals_raw"] as? [Int] == [790])
    }

    @Test(
        "says what is wrong by its exit status and in words",
        arguments: [
            (["2A37", "01 4D"], ExitStatus.exited(65), "malformed"), (["2AFF", "00"], .exited(69), "unsupported"),
        ])
    func undecodable(arguments: [String], status: ExitStatus, error: String) async throws {
        let outcome = try await ProgramWithPipes.run(["decode"] + arguments)
        #expect(outcome.status == status)
        let found = try object(outcome.output)
        #expect(found["error"] as? String == error)
        #expect((found["reason"] as? String)?.isEmpty == false)
    }

    @Test(
        "refuses arguments that it cannot use with a sentence",
        arguments: [["2A37"], ["2A37", "4"], ["2A37", "zz"], ["heart", "00"]])
    func unusable(arguments: [String]) async throws {
        let outcome = try await ProgramWithPipes.run(["decode"] + arguments)
        #expect(outcome.status == .exited(64))
        #expect(outcome.output.isEmpty)
        #expect(!outcome.errorOutput.isEmpty)
    }

    @Test("answers each line of standard input with one line, at once and in order, whatever the line is")
    func lines() async throws {
        let decode = try await ProgramWithPipes.start(["decode", "-", "-"])
        await decode.write("2A19 57\n")
        let first = try #require(try await decode.nextLine())
        #expect(try object(first)["characteristic"] as? String == "2A19")
        await decode.write("2A37 01\nnonsense\n2AFF 00\n2A38 01\n")
        var answers: [NSDictionary] = []
        for _ in 0..<4 { answers.append(try object(try #require(try await decode.nextLine()))) }
        #expect(answers[0]["error"] as? String == "malformed")
        #expect(answers[1]["error"] is String)
        #expect(answers[2]["error"] as? String == "unsupported")
        #expect(answers[3]["name"] as? String == "Body Sensor Location")
        await decode.closeInput()
        let outcome = try await decode.waitForExit()
        #expect(outcome.output.count { $0 == "\n" } == 5)
    }
}
