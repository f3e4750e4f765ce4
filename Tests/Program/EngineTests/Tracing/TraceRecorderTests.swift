import Configuration
import EventLoops
import TestSupport
import Testing
import UserFiles
import Vitals

@testable import Engine

@Suite("The reader of a trace", .timeLimit(.minutes(10)))
struct TraceRecorderTests {
    private let running = RunningLoop()
    private static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    private static let other = SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter)
    private static let rate = TraceEntry.Attribute(uuid: "2A37", handle: 0x1D)

    /// What was printed, on the loop.
    private final class Printed: @unchecked Sendable {
        // `@unchecked Sendable`: written and read on the engine's actor only.
        var lines: [String] = []
    }

    private func engine(_ feed: ScriptedFeed) -> MonitorEngine {
        var settings = Settings()
        settings.recording.isEnabled = false
        settings.alarms.showsNotifications = false
        return MonitorEngine(.live(feed), settings, keepingIn: nil, on: running.loop)
    }

    private static func step(_ sensor: SensorIdentity, _ kind: TraceEntry.Kind) -> MonitorEvent.Kind {
        .traced(TraceEntry(address: sensor.address, name: sensor.name, kind: kind))
    }

    private func begin(_ wanted: String?, _ engine: MonitorEngine, _ printed: Printed) async {
        await engine.run { engine in
            let recorder = TraceRecorder(wanted) { lines in
                // Without the time, the address and the name.
                printed.lines += lines.split(separator: "\n").compactMap { line in
                    line.split(separator: ": ").last.map(String.init)
                }
            }
            engine.subscribe(recorder)
            recorder.begin(engine)
        }
    }

    @Test("asks for all, and for a named sensor as soon as it is heard, and again every minute")
    func asks() async {
        let feed = ScriptedFeed()
        let engine = engine(feed)
        await engine.begin()
        let printed = Printed()
        await begin("polar h10", engine, printed)
        #expect(feed.carriedOut == [.trace(.all, seconds: 120)])
        await engine.run { _ in
            feed.send(.nearby(Self.other, signalStrength: -60, services: []))
            feed.send(.nearby(Self.strap, signalStrength: -60, services: []))
            feed.send(.nearby(Self.strap, signalStrength: -61, services: []))
        }
        let named = SensorWish.trace(.sensor(address: Self.strap.address), seconds: 120)
        #expect(feed.carriedOut.dropFirst() == [named])
        await engine.run { _ in feed.send(.tick, after: .seconds(59)) }
        #expect(feed.carriedOut.count == 2)
        await engine.run { _ in feed.send(.tick, after: .seconds(2)) }
        #expect(feed.carriedOut.dropFirst(2) == [named])
    }

    @Test("prints the steps of the named sensor only, and the beginning of a link once")
    func filters() async {
        let feed = ScriptedFeed()
        let engine = engine(feed)
        await engine.begin()
        let printed = Printed()
        await begin(Self.strap.address.lowercased(), engine, printed)
        await engine.run { engine in
            for _ in 0..<2 {
                feed.send(Self.step(Self.strap, .connected(hasPublicAddress: false)))
                feed.send(Self.step(Self.strap, .discovered([])))
            }
            feed.send(Self.step(Self.other, .connected(hasPublicAddress: false)))
            feed.send(Self.step(Self.strap, .notified(Self.rate, .shown([6, 72]))))
            feed.send(Self.step(Self.strap, .disconnected))
            feed.send(Self.step(Self.strap, .connected(hasPublicAddress: false)))
            engine.send(.turnEnded)
        }
        #expect(
            printed.lines == [
                "connected", "0x001D 2A37 Heart Rate Measurement notified 06 48", "disconnected", "connected",
            ])
    }

    @Test("the files of a key have lines and packets, and end with it")
    func files() async throws {
        let folder = try ScratchFolder()
        let feed = ScriptedFeed()
        let engine = engine(feed)
        await engine.begin()
        let files = try TraceFiles(capture: folder.path + "/a.btsnoop", lines: folder.path + "/a.txt")
        await engine.run { engine in
            engine.beginTrace(of: Self.strap.address, into: files)
            feed.send(Self.step(Self.strap, .asked(.pair)))
            engine.endTrace()
            feed.send(Self.step(Self.strap, .disconnected))
            engine.send(.turnEnded)
        }
        await files.finish(on: running.loop)
        let lines = String(decoding: try PrivateFile.read(folder.path + "/a.txt") ?? [], as: UTF8.self)
        #expect(lines.hasSuffix("C0:52:49:00:00:02 Polar H10: pair\n"))
        #expect(try PrivateFile.read(folder.path + "/a.btsnoop")?.starts(with: Array("btsnoop\0".utf8)) == true)
        #expect(files.failure == nil)
    }

    @Test("files that take no more say so, and keep what they have")
    func failed() async throws {
        let folder = try ScratchFolder()
        let files = try TraceFiles(capture: folder.path + "/a.btsnoop", lines: nil)
        files.write([1, 2, 3], "")
        files.write([UInt8](repeating: 0, count: 33 << 20), "")
        files.write([4], "")
        await files.finish(on: running.loop)
        #expect(files.failure?.contains("The trace has ended") == true)
        #expect(try PrivateFile.read(folder.path + "/a.btsnoop") == [1, 2, 3])
    }
}

extension MonitorEngine {
    /// Runs something on the engine.
    fileprivate func run(_ body: @Sendable (isolated MonitorEngine) -> Void) { body(self) }
}
