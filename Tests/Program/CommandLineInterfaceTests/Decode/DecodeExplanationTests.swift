import Testing
import VitalDecoders

@testable import CommandLineInterface

@Suite("Explanations of bedside decode")
struct DecodeExplanationTests {
    private func explain(
        _ uuid: String, _ hexadecimal: String, colors: Bool = false
    ) throws -> (text: String, status: CommandLineInterface.ExitStatus) {
        DecodeExplanation.text(
            of: try DecodeRequest(uuid: uuid.utf8, hexadecimal: hexadecimal.utf8), context: DecodingContext(),
            colors: colors)
    }

    @Test("octets are laid out with offset, name, format and meaning, and those that are too many are shown")
    func layout() throws {
        let result = try explain("2A37", "16 4D 16 03 FF")
        #expect(
            result.text == """
                Heart Rate Measurement (2A37)
                Heart Rate Service 1.0, 5 octets

                offset  octets  field             format  raw         meaning
                     0  16      flags             uint8   0b00010110  8-bit heart rate, RR intervals, contact detected
                     1  4D      8-bit heart rate  uint8   77          77 beats a minute
                     2  16 03   RR interval       uint16  790         790/1024 s = 771.484375 ms
                     4  FF                                            not announced, ignored

                """)
        #expect(result.status == .success)
    }

    @Test("a malformed value is explained up to the error")
    func malformed() throws {
        let result = try explain("2A1C", "02 42 0E 00 FE E9")
        #expect(
            result.text == """
                Temperature Measurement (2A1C)
                Health Thermometer Service 1.0, 6 octets

                offset  octets       field        format  raw           meaning
                     0  02           flags        uint8   0b00000010    degrees Celsius, time stamp
                     1  42 0E 00 FE  temperature  FLOAT   3650 x 10^-2  36.5 °C
                     5  E9                                              not read

                malformed at offset 5: flags announce a time stamp, 1 of 7 octets present

                """)
        #expect(result.status == .malformedData)
    }

    @Test("status words are hexadecimal, specials too, and bits say what they mean for the value")
    func status() throws {
        let text = try explain("2A5F", "0C FF 07 40 00 20 00 20 08 00").text
        #expect(text.contains("SFLOAT  0x7FF       NaN %"))
        #expect(text.contains("uint16  0x0020      measurement ongoing\n"))
        #expect(
            text.contains(
                "0x000820    low perfusion detected (questionable), sensor unconnected to user (unusable)\n"))
    }

    @Test("octets that have no room in their row go on below it")
    func longTexts() throws {
        let text = try explain("2A29", "50 6F 6C 61 72 20 45 6C 65 63").text
        #expect(text.contains("     0  50 6F 6C 61 72 20 45 6C  text   UTF-8        Polar Elec\n     8  65 63\n"))
    }

    @Test("a text from a sensor cannot reach the terminal")
    func harmless() throws {
        let text = try explain("2A29", "41 1B 5B 32 4A C2 9B E2 80 AE").text
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        #expect(text.contains("A\u{FFFD}[2J"))
    }

    @Test("colours appear only when asked for")
    func colors() throws {
        #expect(try explain("2A37", "01", colors: true).text.contains("\u{1B}[31m"))
        #expect(try !explain("2A37", "01").text.contains("\u{1B}"))
    }

    @Test("a characteristic without a decoder is unsupported")
    func unsupported() throws {
        #expect(try explain("2AFF", "00").status == .unavailable)
    }

    @Test("lines are explained one after the other, and bad lines are answered too")
    func lines() throws {
        var batch = DecodeBatch(DecodeResponder(context: DecodingContext(), form: .explanation(colors: false)))
        let output = String(decoding: batch.answers(to: Array("2A19 57\nnonsense\n2A38 01\n".utf8)[...]), as: UTF8.self)
        #expect(output.contains("87 %"))
        #expect(output.contains("the UUID must be"))
        #expect(output.contains("1: chest"))
    }

    @Test("the list names every characteristic with its specification")
    func list() {
        let lines = DecodeList.text().split(separator: "\n")
        #expect(lines.count == CharacteristicType.all.count)
        for (line, characteristic) in zip(lines, CharacteristicType.all) {
            #expect(line.hasPrefix(characteristic.uuid.description))
            #expect(line.contains(characteristic.name))
            #expect(line.contains(characteristic.specification.title))
        }
    }
}
