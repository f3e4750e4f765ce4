import Foundation
import Testing
import Vitals

@testable import Monitoring

/// The analysis against neurokit2 and hrv-analysis, by `reference/make_reference.py`.
@Suite("RR intervals as others analyse them")
struct RhythmReferenceTests {
    private struct Case: Decodable {
        struct Artefact: Decodable, Hashable {
            var place: Int
            var kind: String
        }

        struct Figures: Decodable {
            var rmssd: Double
            var sdnn: Double
        }

        var name: String
        var pauseMilliseconds: Int
        var pieces: [[UInt16]]
        var artefacts: [[Artefact]]
        var neurokit2: Figures
        var hrvAnalysis: Figures

        /// The analysis of the series as a strap sends it: every interval when its beat has come.
        var analysis: RhythmAnalysis {
            var series = RRSeries()
            var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
            for piece in pieces {
                for interval in piece {
                    now = now.advanced(byNanoseconds: RRTimeline.nanoseconds(interval))
                    series.append([interval], arrivedAt: now)
                }
                if pieces.count > 1 { now = now.advanced(by: .milliseconds(pauseMilliseconds)) }
            }
            return RhythmAnalysis(series, at: now)
        }
    }

    private static func cases() throws -> [Case] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "reference/reference.json")
        return try JSONDecoder().decode([Case].self, from: Data(contentsOf: path))
    }

    @Test("have the classes of artefacts that neurokit2 finds, in every unbroken series")
    func artefacts() throws {
        let cases = try Self.cases()
        #expect(Set(cases.flatMap { $0.artefacts.joined().map(\.kind) }) == Set(RRArtefact.allCases.map(\.rawValue)))
        for reference in cases {
            for (piece, expected) in zip(reference.pieces, reference.artefacts) {
                let found = RRClassifier.classify(piece.map { Double($0) * 1000 / 1024 })
                let artefacts = found.enumerated().compactMap { place, kind in
                    kind.map { Case.Artefact(place: place, kind: $0.rawValue) }
                }
                #expect(artefacts == expected, "\(reference.name)")
            }
        }
    }

    @Test("have their RMSSD and SDNN within 1 %, with gaps and artefacts")
    func figures() throws {
        let cases = try Self.cases()
        #expect(cases.count == 7)
        for reference in cases {
            let analysis = reference.analysis
            #expect(analysis.beats.dropFirst().count(where: \.followsGap) == reference.pieces.count - 1)
            guard case .figures(let figures) = analysis.result else {
                Issue.record("\(reference.name): \(analysis.result), \(analysis.coveragePercent) %")
                continue
            }
            for other in [reference.neurokit2, reference.hrvAnalysis] {
                #expect(abs(figures.rmssd / other.rmssd - 1) < 0.01, "\(reference.name): \(figures) \(other)")
                #expect(abs(figures.sdnn / other.sdnn - 1) < 0.01, "\(reference.name): \(figures) \(other)")
            }
        }
    }
}
