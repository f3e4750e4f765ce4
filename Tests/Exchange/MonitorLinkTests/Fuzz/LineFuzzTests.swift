import Foundation
import Monitoring
import TestSupport
import Testing
import Vitals
import Waves

@testable import MonitorLink

/// Whatever stands in a line, it does no harm to the monitor, nor to a view that reads it.
@Suite("Lines that are nearly right")
struct LineFuzzTests {
    private static let lineCount = RandomCases.count("BEDSIDE_LINES", usually: 62_500)
    private static let seeds = 0..<max(1, lineCount / 62_500)

    @Test("never harm a monitor", .computing, arguments: seeds)
    func monitor(seed: Int) throws {
        var mutator = try LineMutator(
            seed: seed, (WishTests.possible + WishTests.impossible).map { try LinkCoder.line(ViewerLine.wish($0)) })
        let start = WishTests.monitor()
        var state = start
        var (understoodCount, doneCount) = (0, 0)
        for number in 0..<Self.lineCount / 2 / Self.seeds.count {
            // As at the beginning, now and then, so that wishes go on to find what they are about.
            if number % 256 == 0 { state = start }
            guard case .wish(let wish)? = try? LinkCoder.value(ViewerLine.self, mutator.next()) else { continue }
            understoodCount += 1
            guard state.refusal(of: wish, at: start.now) == nil, case .patient(let accepted) = wish else { continue }
            doneCount += 1
            _ = state.apply(accepted, at: start.now)
            // As it is sent to views.
            if number % 64 == 0 { _ = try LinkCoder.line(state) }
        }
        #expect(understoodCount > 1000 && doneCount > 100, "\(understoodCount) understood, \(doneCount) done")
        #expect(state.patientRecord.entries.count <= 1000)
    }

    @Test("are read by a view without harm, and only what fits together is believed", .computing, arguments: seeds)
    func view(seed: Int) throws {
        var inputs = RandomInputs(seed: 500 + seed)
        var known = MonitorState(settings: RandomInputs.settings, start: inputs.now)
        var lines: [[UInt8]] = []
        for _ in 0..<300 {
            let input = inputs.next(known)
            _ = known.apply(input)
            lines.append(try LinkCoder.line(MonitorLine.input(input)))
        }
        let hello = MonitorHello(version: "1", command: "record", process: 1)
        lines += try [
            LinkCoder.line(MonitorLine.hello(hello)), LinkCoder.line(MonitorLine.alive(inputs.now)),
            LinkCoder.line(MonitorLine.notice("Kept.")), LinkCoder.line(MonitorLine.refused("no")),
            LinkCoder.line(MonitorLine.waves(Self.waves(at: inputs.now))),
        ]
        let snapshot = MonitorSnapshot(state: known, log: [], provenance: .real, isRecording: true)
        let whole = try LinkCoder.line(MonitorLine.snapshot(snapshot))
        var (events, snapshots) = (try LineMutator(seed: seed, lines), try LineMutator(seed: seed, [whole]))
        var (viewer, shown) = (LinkViewer(at: inputs.now), known)
        _ = viewer.received(whole, at: inputs.now)
        var counts: [String: Int] = [:]
        for number in 0..<Self.lineCount / 2 / Self.seeds.count {
            for news in viewer.received(number % 500 == 0 ? snapshots.next() : events.next(), at: inputs.now) {
                switch news {
                case .snapshot(let snapshot):
                    counts["snapshots", default: 0] += 1
                    #expect(snapshot.state.isCoherent)
                    shown = snapshot.state
                case .input(let input):
                    counts["inputs", default: 0] += 1
                    #expect(LinkBounds.contains(input.moment))
                    // As a view does, whatever it is.
                    _ = shown.apply(input)
                case .notice(let sentence): #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
                case .waves(let updates):
                    counts["waves", default: 0] += 1
                    for case .block(let block) in updates {
                        #expect(block.isCoherent)
                        // As drawing and recording do.
                        _ = (block.end, block.startMoment, block.rate, block.time(of: block.count / 2))
                    }
                case .refused: counts["refusals", default: 0] += 1
                case .lost, .connect: break
                }
            }
        }
        for kind in ["snapshots", "inputs", "refusals", "waves"] { #expect(counts[kind, default: 0] > 5, "\(kind)") }
    }

    /// Waves as a strap and an oximeter send them.
    private static func waves(at now: Moment) -> [WaveUpdate] {
        let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
        return [
            .state(strap, .electrocardiogram, .refused("It has none.")),
            .block(
                WaveBlock(
                    sensor: strap, kind: .electrocardiogram, samples: [1, -2, WavePiece.missing], beats: [1],
                    start: now.monotonic, interval: 7_692_307.692, lost: 3, arrived: now)),
        ]
    }
}
