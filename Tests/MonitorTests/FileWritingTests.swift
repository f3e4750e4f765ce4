import EventLoops
import Foundation
import Monitoring
import PatientFile
import SensorFile
import Synchronization
import TestSupport
import Testing
import UserFiles
import Vitals

@testable import Monitor

@Suite("Small files that are written in the background", .timeLimit(.minutes(1)))
struct FileWritingTests {
    private let folder: ScratchFolder
    private let directories: UserDirectories
    private let running = RunningLoop()
    private static let strap = RememberedSensor(
        address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap, isWanted: true)

    init() throws {
        folder = try ScratchFolder()
        let path = folder.path
        directories = try UserDirectories(for: "bedside", environment: { _ in path }, accountHome: { nil })
    }

    /// A disk that takes a change only when it may.
    private final class Disk: Sendable {
        let written = Recorder<String>()
        private let gate = DispatchSemaphore(value: 0)

        func write(_ change: String) -> String? {
            gate.wait()
            written.record(change)
            return change.hasPrefix("bad") ? "The disk refuses \(change)." : nil
        }

        func allow(_ count: Int) {
            for _ in 0..<count { gate.signal() }
        }
    }

    @Test("are written in order, only the newest of each, and callers do not wait")
    func order() async throws {
        let disk = Disk()
        let writing = FileWriting(on: running.loop) { disk.write($0) }
        writing.put("a1", for: "a")
        disk.allow(1)
        try await awaitCondition("the first is written") { disk.written.elements == ["a1"] }
        for change in ["a2", "b1", "a3", "c1", "b2"] { writing.put(change, for: String(change.prefix(1))) }
        disk.allow(100)
        #expect(await writing.finish(within: .seconds(30)))
        // The thread may have been faster than the second one of the first key.
        let rest = Array(disk.written.elements.dropFirst())
        #expect(rest == (rest.first == "a2" ? ["a2", "b2", "a3", "c1"] : ["a3", "b2", "c1"]))
    }

    @Test("hold the newest of everything in the end, in any order", arguments: 0..<20)
    func histories(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let held = Mutex<[String: Int]>([:])
        let writing = FileWriting<(key: String, value: Int)>(on: running.loop) { change in
            held.withLock { $0[change.key] = change.value }
            return nil
        }
        var newest: [String: Int] = [:]
        for value in 0..<200 {
            let key = "\(Int.random(in: 0..<5, using: &random))"
            writing.put((key, value), for: key)
            newest[key] = value
            if Int.random(in: 0..<20, using: &random) == 0 {
                #expect(await writing.finish(within: .seconds(30)))
                #expect(held.withLock { $0 } == newest)
            }
        }
        #expect(await writing.finish(within: .seconds(30)))
        #expect(held.withLock { $0 } == newest)
    }

    @Test("say what went wrong, even before anybody listens")
    func errors() async {
        let disk = Disk()
        disk.allow(10)
        let writing = FileWriting(on: running.loop) { disk.write($0) }
        let told = Recorder<String>()
        writing.put("bad1", for: "a")
        #expect(await writing.finish(within: .seconds(30)))
        writing.onError { told.record($0) }
        writing.put("bad2", for: "a")
        #expect(await writing.finish(within: .seconds(30)))
        #expect(told.elements == ["The disk refuses bad1.", "The disk refuses bad2."])
    }

    @Test("do not hold up the end where the disk hangs")
    func hangingDisk() async {
        let disk = Disk()
        let writing = FileWriting(on: running.loop) { disk.write($0) }
        writing.put("a", for: "a")
        #expect(await !writing.finish(within: .milliseconds(20)))
        disk.allow(1)
        #expect(await writing.finish(within: .seconds(30)))
    }

    @Test("wait for another program's lock without anybody waiting with them")
    func lock() async throws {
        let file = SensorFile(in: directories)
        let remembered = RememberedSensors(file, on: running.loop)
        let told = Recorder<String>()
        remembered.onError { told.record($0) }
        func remember() throws {
            // If this waited, the lock would never be released, and its time limit would be reported.
            let lock = try FileLock(for: file.path)
            remembered.record(MonitorEvent(moment: Moment.now(), kind: .remembered(Self.strap)))
            _ = consume lock
        }
        try remember()
        #expect(await remembered.finish(within: .seconds(30)) == nil)
        #expect(told.elements.isEmpty)
        var reader = file
        #expect(try reader.load(wallMilliseconds: 0).sensors == [Self.strap])
        let identity = SensorIdentity(address: Self.strap.address, name: "Polar H10", kind: .heartRateStrap)
        remembered.record(MonitorEvent(moment: Moment.now(), kind: .forgotten(identity)))
        #expect(await remembered.finish(within: .seconds(30)) == nil)
        #expect(try reader.load(wallMilliseconds: 0).sensors.isEmpty)
    }

    @Test("keep the patient's newest limits, and say once that they cannot be kept")
    func patient() async throws {
        let file = PatientFile(in: directories)
        let remembered = PatientSettings(file, on: running.loop)
        let told = Recorder<String>()
        remembered.onError { told.record($0) }
        var memory = MonitorMemory()
        for count in 1...50 {
            memory.neutrophils = NeutrophilCount(perMicrolitre: count, sampledAt: 0, enteredBy: "")
            remembered.keep(memory)
        }
        #expect(await remembered.finish(within: .seconds(30)) == nil)
        var reader = file
        #expect(try reader.load(wallMilliseconds: 0).memory == memory)
        // A folder of the same name cannot be replaced.
        try FileManager.default.removeItem(atPath: file.path)
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
        for count in 60...62 {
            memory.neutrophils = NeutrophilCount(perMicrolitre: count, sampledAt: 0, enteredBy: "")
            remembered.keep(memory)
            #expect(await remembered.finish(within: .seconds(30)) == nil)
        }
        #expect(told.elements.count == 1)
        #expect(told.elements.first?.hasPrefix("Changed limits are not kept for a restart: ") == true)
    }
}
