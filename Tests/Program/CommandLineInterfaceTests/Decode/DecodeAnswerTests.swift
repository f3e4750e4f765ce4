import JSON
import Testing
import VitalDecoders

@testable import CommandLineInterface

@Suite("Answers of bedside decode")
struct DecodeAnswerTests {
    /// The line that answers a request, without its end, and the exit status.
    private func answer(_ uuid: String, _ hexadecimal: String) throws -> (
        line: String, status: CommandLineInterface.ExitStatus
    ) {
        var json = JSONWriter()
        let request = try DecodeRequest(uuid: uuid.utf8, hexadecimal: hexadecimal.utf8)
        let status = DecodeAnswer.write(request, context: DecodingContext(), to: &json)
        return (String(decoding: json.bytes.dropLast(), as: UTF8.self), status)
    }

    @Test(
        "a value is answered as the contract fixes it",
        arguments: [
            (
                "2A37", "16 4D 16 03",
                #"{"characteristic":"2A37","name":"Heart Rate Measurement","value":{"heart_rate_bpm":77,"#
                    + #""sensor_contact":"detected","energy_expended_kj":null,"rr_intervals_raw":[790],"#
                    + #""rr_intervals_ms":[771.484375]}}"#
            ),
            (
                "00002a37-0000-1000-8000-00805f9b34fb", "00 48",
                #"{"characteristic":"2A37","name":"Heart Rate Measurement","value":{"heart_rate_bpm":72,"#
                    + #""sensor_contact":"not_supported","energy_expended_kj":null,"rr_intervals_raw":null,"#
                    + #""rr_intervals_ms":null}}"#
            ),
            (
                "2a1c", "01 6E 27 00 FE",
                #"{"characteristic":"2A1C","name":"Temperature Measurement","value":{"temperature":100.94,"#
                    + #""unit":"fahrenheit","temperature_celsius":38.3,"timestamp":null,"temperature_type":null,"#
                    + #""temperature_type_name":null}}"#
            ),
            (
                "2A1E", "07 FF FF 7F 00 E9 07 00 0A 0E 1E 2D 02",
                #"{"characteristic":"2A1E","name":"Intermediate Temperature","value":{"temperature":"NaN","#
                    + #""unit":"fahrenheit","temperature_celsius":"NaN","timestamp":{"year":2025,"month":null,"day":10,"#
                    + #""hour":14,"minute":30,"second":45},"temperature_type":2,"temperature_type_name":"body"}}"#
            ),
            (
                "2A5F", "1C 61 00 00 00 00 00 20 08 00 00 F0",
                #"{"characteristic":"2A5F","name":"PLX Continuous Measurement","value":{"spo2_percent":97,"#
                    + #""pulse_rate_bpm":0,"spo2_fast_percent":null,"pulse_rate_fast_bpm":null,"#
                    + #""spo2_slow_percent":null,"pulse_rate_slow_bpm":null,"measurement_status":0,"#
                    + #""device_and_sensor_status":2080,"pulse_amplitude_index_percent":0}}"#
            ),
            (
                "2A29", "22 1B 00 41",
                #"{"characteristic":"2A29","name":"Manufacturer Name String","value":{"text":"\"\u001b"}}"#
            ),
            ("2A19", "C8", #"{"characteristic":"2A19","name":"Battery Level","value":{"battery_level_percent":null}}"#),
        ])
    func decoded(uuid: String, hexadecimal: String, expected: String) throws {
        let answer = try answer(uuid, hexadecimal)
        #expect(answer.line == expected)
        #expect(answer.status == .success)
    }

    @Test("malformed octets are answered with the reason and the offset")
    func malformed() throws {
        let answer = try answer("2A37", "01 2C")
        #expect(
            answer.line == #"{"characteristic":"2A37","error":"malformed","#
                + #""reason":"flags announce a 16-bit heart rate, 1 of 2 octets present","offset":1}"#)
        #expect(answer.status == .malformedData)
    }

    @Test("a characteristic without a decoder is unsupported")
    func unsupported() throws {
        let answer = try answer("2aff", "00")
        #expect(answer.line.hasPrefix(#"{"characteristic":"2AFF","error":"unsupported","reason":""#))
        #expect(answer.status == .unavailable)
    }

    @Test("every line is answered with one line, in order, whatever it holds")
    func batch() {
        var batch = DecodeBatch(DecodeResponder(context: DecodingContext(), form: .json))
        let input = "2A19 57\r\n\n2A19\n nonsense\n2A19 5\n2AFF 00\n\u{0}\n  2A19\t0x58 \n2A19 59"
        var output = batch.answers(to: Array(input.utf8)[...])
        output += batch.lastAnswer()
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 10)
        #expect(
            lines.map { line in
                ["percent\":87", "percent\":88", "percent\":89", "usage", "malformed", "unsupported"]
                    .first { line.contains($0) } ?? String(line)
            } == [
                "percent\":87", "usage", "malformed", "usage", "usage", "unsupported", "usage", "percent\":88",
                "percent\":89", "",
            ])
    }

    @Test("a line that is cut by chunks is answered when it is complete")
    func chunks() {
        var batch = DecodeBatch(DecodeResponder(context: DecodingContext(), form: .json))
        #expect(batch.answers(to: Array("2A1".utf8)[...]).isEmpty)
        #expect(batch.answers(to: Array("9 5".utf8)[...]).isEmpty)
        #expect(String(decoding: batch.answers(to: Array("7\n2".utf8)[...]), as: UTF8.self).contains("87"))
    }

    @Test("a line of unbounded length is answered once")
    func longLine() {
        var batch = DecodeBatch(DecodeResponder(context: DecodingContext(), form: .json))
        let part = [UInt8](repeating: UInt8(ascii: "0"), count: 100_000)
        #expect(batch.answers(to: part[...]).isEmpty)
        #expect(batch.answers(to: part[...]).isEmpty)
        let line = String(decoding: batch.answers(to: [UInt8(ascii: "\n")]), as: UTF8.self)
        #expect(line == #"{"error":"usage","reason":"the line is longer than 65536 bytes"}"# + "\n")
    }
}
