import TestSupport
import Testing
import VitalDecoders

@testable import EDF

/// Octets that a test writes and reads again.
private enum Example {
    static let saturation = EDFSignal(
        "SpO2", transducer: "Ring", dimension: "%", physical: -1...100, digital: -100...10_000, samplesPerRecord: 2)

    static func header(_ kind: EDFHeader.Kind, records: Int) -> EDFHeader {
        var header = EDFHeader(
            start: DateTime(year: 2026, month: 11, day: 28, hour: 23, minute: 5, second: 9), kind: kind,
            recordCount: records, recordDuration: 1, signals: [saturation, .annotations(octets: 40)])
        header.recording = "Startdate \(EDFHeader.date(header.start)) X X Bedside"
        return header
    }

    /// Two data records with a gap of a minute between them.
    static let file: [UInt8] = {
        let gaps = header(.discontinuous, records: 2)
        var octets = gaps.octets()
        gaps.appendRecord(at: 0, [[9700, -100]], lists: [], to: &octets)
        let note = EDFAnnotation(onset: 61_250, duration: 1500, "asleep").octets()
        gaps.appendRecord(at: 61_000, [[8800, 10_000]], lists: note, to: &octets)
        return octets
    }()
}

@Suite("A file of EDF")
struct EDFFileTests {
    @Test("is read as it was written, with its gaps and annotations")
    func roundTrip() throws {
        let file = try EDFFile(Example.file)
        #expect(file.header == Example.header(.discontinuous, records: 2))
        #expect(file.samples(of: 0, in: 0) == [9700, -100])
        #expect(file.samples(of: 0, in: 1) == [8800, 10_000])
        #expect(file.header.signals[0].value(of: 9700) == 97)
        #expect(file.header.signals[0].value(of: -100) == -1)
        #expect((0..<2).map { file.start(of: $0) } == [0, 61_000])
        #expect(file.annotations() == [EDFAnnotation(onset: 61_250, duration: 1500, "asleep")])
    }

    @Test("has the header of the specification, character by character")
    func header() {
        let octets = Example.header(.continuous, records: 2).octets()
        #expect(octets.count == 768 && octets.allSatisfy { (0x20...0x7E).contains($0) })
        let lines = stride(from: 0, to: octets.count, by: 64).map { place in
            "|" + String(decoding: octets[place..<place + 64], as: UTF8.self) + "|\n"
        }
        let wanted = """
            |0       X X X X                                                 |
            |                        Startdate 28-NOV-2026 X X Bedside       |
            |                                        28.11.2623.05.09768     |
            |EDF+C                                       2       1       2   |
            |SpO2            EDF Annotations Ring                            |
            |                                                                |
            |                                                                |
            |%               -1      -1      100     1       -100    -32768  |
            |10000   32767                                                   |
            |                                                                |
            |                                                2       20      |
            |                                                                |

            """
        #expect(lines.joined() == wanted)
    }

    @Test("begins as that of the specification's example where its fields are the same")
    func example() throws {
        var header = Example.header(.continuous, records: 2)
        header.patient = ["MCH-0234567", "F", "16-SEP-1987", "Haagse Harry"].map(EDFHeader.subfield)
            .joined(separator: " ")
        #expect(header.patient == "MCH-0234567 F 16-SEP-1987 Haagse_Harry")
        #expect(EDFHeader.subfield("") == "X")
        #expect(try EDFHeader(header.octets() + [UInt8](repeating: 0, count: 64)) == header)
    }

    @Test(
        "that is damaged is refused with the place",
        arguments: [
            (0, UInt8(ascii: "1"), 0, "it does not begin as EDF does"),
            (168, UInt8(ascii: "9"), 168, "it begins at 2026-11-98 23:05:09, which is no time"),
            (236, UInt8(ascii: "x"), 236, "“x” is no number of data records"),
            (237, UInt8(ascii: "0"), 26, "it is cut off: it names 20 data records, 2 are present"),
            (252, UInt8(ascii: "3"), 184, "3 signals do not have a header of 768 octets"),
        ])
    func damaged(place: Int, octet: UInt8, offset: Int, reason: String) {
        var octets = Example.file
        octets[place] = octet
        let end = octets.count
        #expect(throws: MalformedValueError(offset: offset == 26 ? end : offset, reason: reason)) {
            try EDFFile(octets)
        }
    }

    @Test("that is cut off anywhere, doubled, or not finished is refused")
    func incomplete() throws {
        for count in 0..<Example.file.count {
            #expect(throws: MalformedValueError.self) { try EDFFile(Array(Example.file.prefix(count))) }
        }
        #expect(throws: MalformedValueError.self) { try EDFFile(Example.file + Example.file) }
        var unfinished = Example.file
        unfinished.replaceSubrange(236..<238, with: Array("-1".utf8))
        #expect(
            throws: MalformedValueError(
                offset: 236, reason: "it is not finished: the number of its data records is still unknown")
        ) { try EDFFile(unfinished) }
    }

    @Test("of random octets, or with random ones in it, is read or refused, and reading its parts ends")
    func random() {
        var generator = SeededGenerator(seed: 53)
        for round in 0..<RandomCases.count("BEDSIDE_CHANGES", usually: 2000) {
            var octets = Example.file
            if round % 4 == 0 {
                octets = (0..<Int.random(in: 0..<2000, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            } else {
                for _ in 0..<Int.random(in: 1..<8, using: &generator) {
                    octets[Int.random(in: 0..<octets.count, using: &generator)] = .random(
                        in: 0...255, using: &generator)
                }
            }
            guard let file = try? EDFFile(octets) else { continue }
            for record in 0..<file.header.recordCount {
                _ = file.start(of: record)
                for signal in file.header.signals.indices {
                    #expect(
                        file.samples(of: signal, in: record).count == file.header.signals[signal].samplesPerRecord)
                }
            }
            #expect(file.annotations().allSatisfy { !$0.text.unicodeScalars.contains { $0.value < 0x20 } })
        }
    }

    @Test(
        "has years of two digits from 1985 to 2084, and the full one where the recording names it",
        arguments: [("85", "", 1985), ("84", "", 2084), ("26", "Startdate 28-NOV-2126 X X X", 2126)])
    func years(digits: String, recording: String, year: UInt16) throws {
        var header = Example.header(.plain, records: 0)
        header.recording = recording
        var octets = header.octets()
        octets.replaceSubrange(174..<176, with: Array(digits.utf8))
        #expect(try EDFHeader(octets).start.year == year)
    }
}

@Suite("An annotation of EDF+")
struct EDFAnnotationTests {
    @Test(
        "is written as the specification has it",
        arguments: [
            (EDFAnnotation(onset: 180_000, "Lights off"), "+180\u{14}Lights off\u{14}\u{0}"),
            (EDFAnnotation(onset: -65, duration: 25_500, "Apnea"), "-0.065\u{15}25.500\u{14}Apnea\u{14}\u{0}"),
            (EDFAnnotation(onset: 0, "a\u{14}b\u{0}µ"), "+0\u{14}a\u{FFFD}b\u{FFFD}µ\u{14}\u{0}"),
        ])
    func octets(annotation: EDFAnnotation, text: String) {
        #expect(String(decoding: annotation.octets(), as: UTF8.self) == text)
    }

    @Test("is read with several texts in a list, and what is malformed is left out")
    func reading() {
        let text =
            "+567\u{14}\u{14}\u{0}+1800.2\u{15}25.5\u{14}Apnea\u{14}Snoring\u{14}\u{0}nonsense\u{14}x\u{14}\u{0}\u{0}"
        let (start, annotations) = EDFAnnotation.lists(in: Array(text.utf8)[...])
        #expect(start == 567_000)
        #expect(
            annotations == [
                EDFAnnotation(onset: 1_800_200, duration: 25_500, "Apnea"),
                EDFAnnotation(onset: 1_800_200, duration: 25_500, "Snoring"),
            ])
        #expect(String(decoding: EDFAnnotation.timekeeping(567_000), as: UTF8.self) == "+567\u{14}\u{14}\u{0}")
    }
}
