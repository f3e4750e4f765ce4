import Foundation
import TestSupport
import Testing
import Vitals
import Waves

@testable import Formats

@Suite("An export of waves")
struct WaveExportTests {
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "-Polar, H10", kind: .heartRateStrap)
    private static let oximeter = SensorIdentity(address: "C0:52:49:00:00:03", name: "O2Ring", kind: .oximeter)

    private static func recorded(
        _ millisecond: Int64, _ sensor: SensorIdentity, _ kind: WaveKind, _ samples: [Int32], milliseconds: Int64,
        beats: [Int] = [], lost: Int = 0, isContinuing: Bool = true, run: Int64 = 7
    ) -> RecordedWave {
        let start = Moment(
            monotonicNanoseconds: 5_000_000_000 + millisecond * 1_000_000,
            wallMilliseconds: 1_767_323_045_000 + millisecond)
        return RecordedWave(
            WaveSegment(
                sensor: sensor, kind: kind, start: start, samples: samples, beats: beats,
                spans: [.init(count: samples.count, nanoseconds: milliseconds * 1_000_000)], lost: lost,
                isContinuing: isContinuing),
            run: run, number: 0)
    }

    private static let waves = [
        recorded(
            0, strap, .electrocardiogram, [-12, 0, 950, WavePiece.missing, 3], milliseconds: 38, isContinuing: false),
        recorded(10, oximeter, .plethysmogram, [50, 51, 48], milliseconds: 24, beats: [1], isContinuing: false),
        recorded(38, strap, .electrocardiogram, [7, 8], milliseconds: 16),
        recorded(1000, strap, .electrocardiogram, [9, 10], milliseconds: 16, lost: 118, isContinuing: false),
        recorded(1016, strap, .electrocardiogram, [11], milliseconds: 8, run: 8),
    ]

    private func text(_ format: ExportFormat, _ waves: [RecordedWave] = waves, isSimulated: Bool = false) -> String {
        let sources = [
            RecordedSource(sensor: Self.strap, vital: .heartRate, sensorNumbers: []),
            RecordedSource(sensor: Self.oximeter, vital: .oxygenSaturation, sensorNumbers: []),
        ]
        var encoder = format.encoder(
            sources: waves.isEmpty ? [] : sources, isSimulated: isSimulated, patient: "Patient/123")
        encoder.begin()
        for wave in waves { encoder.write(wave) }
        encoder.end()
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    private func observations(_ text: String) throws -> [[String: Any]] {
        let bundle = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let entries = try #require(bundle["entry"] as? [[String: Any]])
        return entries.compactMap { $0["resource"] as? [String: Any] }.filter {
            $0["resourceType"] as? String == "Observation"
        }
    }

    @Test("has each sample with its time, and the gaps, in CSV and in FHIR, as ever")
    func golden() throws {
        let text = text(.waves, isSimulated: true) + "\n" + text(.fhirWaves)
        try expectGolden(text.replacingOccurrences(of: "\r\n", with: "␍\n"), "waves.txt")
    }

    @Test("as SampledData has an E for an invalid sample, and a new Observation after a gap and in another run")
    func sampledData() throws {
        let found = try observations(text(.fhirWaves))
        let data = found.compactMap { ($0["valueSampledData"] as? [String: Any])?["data"] as? String }
        #expect(Set(data) == ["-12 0 950 E 3 7 8", "50 51 48", "9 10", "11"])
        #expect(found.count { $0["note"] != nil } == 1)
    }

    @Test("cuts a long wave into Observations of bounded size, whose samples stay where they were")
    func bounded() throws {
        let waves = (0..<3600).map { second in
            Self.recorded(
                second * 1000, Self.strap, .electrocardiogram, (0..<130).map { Int32($0) }, milliseconds: 1000,
                isContinuing: second > 0)
        }
        var encoder = ExportFormat.fhirWaves.encoder(
            sources: [RecordedSource(sensor: Self.strap, vital: .heartRate, sensorNumbers: [])], isSimulated: false,
            patient: nil)
        encoder.begin()
        var (text, longest): ([UInt8], Int) = ([], 0)
        for wave in waves {
            encoder.write(wave)
            longest = max(longest, encoder.bytes.count)
            text += encoder.bytes
            encoder.removeAll()
        }
        encoder.end()
        text += encoder.bytes
        #expect(longest < 10_000)
        let found = try observations(String(decoding: text, as: UTF8.self))
        #expect(found.count == 360)
        #expect(
            Set(found.compactMap { ($0["valueSampledData"] as? [String: Any])?["period"] as? Double }) == [7.692308])
    }

    @Test("begins a new Observation where the rate changes so much that samples would be at wrong times")
    func uneven() throws {
        let waves = [
            Self.recorded(0, Self.strap, .electrocardiogram, [1, 2, 3, 4], milliseconds: 40, isContinuing: false),
            Self.recorded(40, Self.strap, .electrocardiogram, [5, 6, 7, 8], milliseconds: 80),
        ]
        #expect(try observations(text(.fhirWaves, waves)).count == 2)
    }
}
