import Foundation
import TestSupport
import Testing
import Vitals
import Waves

@testable import Recording

@Suite("The recording of waves")
struct WaveRecordingTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()
    private let inbox = RecorderInbox()

    init() throws {
        folder = try ScratchFolder()
    }

    private var path: String { "\(folder.path)/\(StoreFile.name)" }

    private func recorder(at second: Int) -> Recording.Recorder {
        Recording.Recorder(
            .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: inbox, loop: running.loop,
            now: { .at(second) }, onState: { _ in })
    }

    /// Half a second of an ECG, as a strap sends it.
    private static func block(_ number: Int, lost: Int = 0) -> WaveUpdate {
        let start = MonotonicTime(nanoseconds: Int64(number) * 500_000_000)
        let moment = Moment.at(0).advanced(byNanoseconds: start.nanoseconds + 500_000_000)
        return .block(
            WaveBlock(
                sensor: .strap, kind: .electrocardiogram, samples: (0..<65).map { Int32(number * 100 + $0) },
                start: start,
                interval: 500_000_000 / 65, lost: lost, isContinuing: number > 0 && lost == 0, arrived: moment))
    }

    private func found(in path: String? = nil) throws -> [WaveSegment] {
        var found: [WaveSegment] = []
        try StoredHistory.open(path ?? self.path)?.forEachWave(in: .min..<(.max)) {
            found.append($0.segment)
            return true
        }
        return found
    }

    @Test("writes a row a second, each when its beats are certain, and what is left at the end")
    func rows() async throws {
        let recorder = recorder(at: 10)
        _ = await recorder.open(at: .at(0))
        for number in 0..<7 { inbox.append(Self.block(number)) }
        await recorder.flush()
        #expect(try found().count == 2)
        #expect(await recorder.close() == 0)
        let segments = try found()
        #expect(segments.map(\.count) == [130, 130, 130, 65])
        #expect(segments.map(\.isContinuing) == [false, true, true, true])
        #expect(segments.map(\.start) == [.at(0), .at(1), .at(2), .at(3)])
    }

    @Test("a kill leaves all rows that were written, and the next start goes on after them")
    func kill() async throws {
        let recorder = recorder(at: 10)
        _ = await recorder.open(at: .at(0))
        for number in 0..<7 { inbox.append(Self.block(number)) }
        await recorder.flush()
        // What a killed program leaves: the file and its log, without a last word.
        let copy = "\(folder.path)/killed.sqlite"
        // By another process, because closing any descriptor of a file ends SQLite's locks on it.
        for tail in ["", "-wal"] {
            let copying = Process()
            copying.executableURL = URL(fileURLWithPath: "/bin/cp")
            copying.arguments = [path + tail, copy + tail]
            try copying.run()
            copying.waitUntilExit()
            #expect(copying.terminationStatus == 0)
        }
        await recorder.close()
        let inbox = RecorderInbox()
        let next = Recording.Recorder(
            .init(path: copy, day: "2026-01-02", programVersion: "1.0"), inbox: inbox, loop: running.loop,
            now: { .at(30) }, onState: { _ in })
        let opening = await next.open(at: .at(20))
        #expect(opening.trouble == nil)
        for number in 40..<42 { inbox.append(Self.block(number)) }
        #expect(await next.close() == 0)
        let segments = try found(in: copy)
        #expect(segments.map(\.start) == [.at(0), .at(1), .at(20)])
        #expect(segments.map(\.isContinuing) == [false, true, false])
    }

    @Test("writes what is complete when the stream ends, and begins anew after it")
    func ended() async throws {
        let recorder = recorder(at: 10)
        _ = await recorder.open(at: .at(0))
        inbox.append(Self.block(0))
        inbox.append(.state(.strap, .electrocardiogram, .ended))
        inbox.append(Self.block(9, lost: 520))
        await recorder.flush()
        #expect(try found().map(\.count) == [65])
        await recorder.close()
        #expect(try found().map(\.lost) == [0, 520])
        #expect(try found().last?.isContinuing == false)
    }

    @Test("loses nothing but samples where a disk does not answer: they are counted, and no reading waits for them")
    func bounded() async throws {
        let recorder = recorder(at: 10)
        for number in 0..<1000 { inbox.append(Self.block(number)) }
        for second in 0..<500 { inbox.append(Reading.rate(60, at: .at(second))) }
        _ = await recorder.open(at: .at(0))
        await recorder.close()
        let segments = try found()
        let count = segments.reduce(0) { $0 + $1.count }
        #expect(count <= 1 << 15)
        #expect(segments.first?.lost == 65_000 - count)
        #expect(segments.first?.isContinuing == false)
        let history = try #require(try StoredHistory.open(path))
        var readings = 0
        try history.forEachReading(in: .min..<(.max)) { _ in
            readings += 1
            return true
        }
        #expect(readings == 500)
    }

    @Test("keeps an hour in memory while the disk is full, counts what it gives up, and goes on when there is room")
    func full() async throws {
        let recorder = recorder(at: 10)
        _ = await recorder.open(at: .at(0))
        inbox.append(Self.block(0))
        await recorder.flush()
        try await recorder.setGrowth(false)
        for number in 1..<8000 {
            inbox.append(Self.block(number))
            if number % 200 == 0 { await recorder.flush() }
        }
        await recorder.flush()
        try await recorder.setGrowth(true)
        #expect(await recorder.close() == 0)
        let segments = try found()
        #expect(segments.count < 4000)
        #expect(segments.reduce(0) { $0 + $1.count + $1.lost } == 8000 * 65)
        #expect(segments.contains { $0.lost > 0 && !$0.isContinuing })
    }

    @Test("without recording there are none")
    func off() async throws {
        let inbox = RecorderInbox(recordsReadings: false)
        inbox.append(Self.block(0))
        #expect(inbox.drainWaves().isEmpty)
    }
}
