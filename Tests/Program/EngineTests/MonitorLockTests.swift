import Glibc
import Testing
import TestSupport
import UserFiles
import Vitals

@testable import Engine

@Suite("The claim to a patient")
struct MonitorLockTests {
    private static func directories(_ folder: ScratchFolder, runtime: Bool = true) throws -> UserDirectories {
        try UserDirectories(
            for: "bedside",
            environment: {
                $0 == "HOME" ? folder.path : $0 == "XDG_RUNTIME_DIR" && runtime ? "\(folder.path)/run" : nil
            },
            accountHome: { nil })
    }

    @Test("has paths of its own for each patient, and a socket whose path is short enough")
    func places() throws {
        let directories = try UserDirectories(
            for: "bedside", environment: { ["HOME": "/nurse", "XDG_RUNTIME_DIR": "/run/user/1000"][$0] },
            accountHome: { nil })
        let unnamed = MonitorFinder(of: nil, in: directories)
        #expect(unnamed.lock == "/nurse/.local/state/bedside/monitor")
        #expect(unnamed.socket == "/run/user/1000/bedside/monitor.sock")
        let name = try #require(PatientName(String(repeating: "x", count: PatientName.byteLimit)))
        let named = MonitorFinder(of: name, in: directories)
        #expect(named.lock == "/nurse/.local/state/bedside/patients/\(name)/monitor")
        #expect(named.socket.utf8.count < 100)
        // The names that a monitor has itself are no patient's.
        let other = try #require(PatientName("simulated-1"))
        #expect(MonitorFinder(of: other, in: directories).socket.contains("/patient-simulated-1.sock"))
    }

    @Test("has its socket in the state folder where the session has none")
    func fallback() throws {
        let folder = try ScratchFolder()
        let directories = try Self.directories(folder, runtime: false)
        #expect(MonitorFinder(of: nil, in: directories).socketFolder == "\(folder.path)/.local/state/bedside/run")
    }

    @Test("leaves a note for other programs, and survives an invalid note")
    func record() throws {
        var monitor = RunningMonitor(command: "dashboard", socket: "/run/x.sock")
        monitor.process = 42
        #expect(RunningMonitor(note: monitor.note) == monitor)
        for text in ["", "{", "[]", #"{"pid":1}"#, #"{"pid":1e99,"command":"x","since_ms":0,"socket":""}"#] {
            #expect(RunningMonitor(note: Array(text.utf8)) == nil, "\(text)")
        }
        monitor.since = 1_772_373_000_000
        let sentence = MonitorLock.sentence(PatientName("bed-12"), monitor)
        let since = Moment(monotonicNanoseconds: 0, wallMilliseconds: monitor.since).localClock
        #expect(sentence.contains("'bed-12' is monitored already, by bedside dashboard, process 42, since \(since)"))
        #expect(MonitorLock.sentence(nil, nil).hasPrefix("The patient is monitored already. It goes on"))
    }

    @Test("has one holder, identified by its note, and is free again when released")
    func hold() throws {
        let folder = try ScratchFolder()
        let place = MonitorFinder(of: nil, in: try Self.directories(folder))
        let monitor = RunningMonitor(command: "watch", socket: place.socket)
        let hold = HeldMonitorLock(try FileLock(for: place.lock, timeout: 0), monitor)
        #expect(throws: UserFileError.busy(path: place.lock)) { _ = try FileLock(for: place.lock, timeout: 0) }
        #expect(FileLock.content(for: place.lock).flatMap(RunningMonitor.init(note:)) == monitor)
        hold.release()
        // A program that another test starts in this moment has it, too, until it has begun.
        _ = try FileLock(for: place.lock, timeout: 60_000)
    }

    @Test("says of a monitor whose process is stopped that it is, and what helps; of one that runs it does not")
    func stopped() async throws {
        let child = try SleepingProcess()
        var monitor = RunningMonitor(command: "record", socket: "/run/x.sock")
        monitor.process = child.process
        #expect(MonitorLock.sentence(nil, monitor).contains("It goes on, and nothing was started."))
        kill(child.process, SIGSTOP)
        try await awaitCondition("it is stopped") { monitor.isStopped }
        let sentence = MonitorLock.sentence(nil, monitor)
        #expect(sentence.contains("It is stopped: it measures nothing, records nothing and gives no alarm."))
        #expect(sentence.contains("kill -CONT \(child.process)") && sentence.hasSuffix("Nothing was started."))
        kill(child.process, SIGCONT)
        try await awaitCondition("it goes on") { !monitor.isStopped }
        // No process that is absent is stopped, and no number is a process.
        for process in [0, -1, pid_t.max] { #expect(!RunningMonitor.isStopped(process)) }
    }

    @Test("is known from the lock, also when its socket has moved")
    func holder() throws {
        let folder = try ScratchFolder()
        let place = MonitorFinder(of: nil, in: try Self.directories(folder))
        #expect(place.holder == nil)
        let monitor = RunningMonitor(command: "watch", socket: place.socket)
        let hold = HeldMonitorLock(try FileLock(for: place.lock, timeout: 0), monitor)
        #expect(place.holder == monitor)
        hold.socketMoved(to: "/elsewhere.sock")
        #expect(place.holder?.socket == "/elsewhere.sock")
        #expect(place.sockets == [place.socket, "/elsewhere.sock"])
        #expect(place.lastMonitor?.command == "watch")
        hold.release()
        #expect(place.holder == nil && place.lastMonitor == nil)
    }

    @Test("keeps simulated monitors from being taken for the patient's when that one has crashed")
    func crashed() async throws {
        let folder = try ScratchFolder()
        let directories = try Self.directories(folder)
        let place = MonitorFinder(of: nil, in: directories)
        let simulated = MonitorFinder(of: nil, in: directories).simulatedSocket(process: 7)
        for name in ["run", "run/bedside"] { mkdir("\(folder.path)/\(name)", 0o700) }
        _ = try folder.write("", to: "run/bedside/simulated-7.sock")
        let finder = MonitorFinder(of: nil, in: directories)
        #expect(finder.paths() == [place.socket, simulated] && finder.absence == .none)
        #expect(finder.paths(after: .simulated).contains(simulated))
        #expect(!finder.paths(after: .real).contains(simulated))
        // A question goes back to the patient's monitor as soon as there is one; a view stays with what it shows.
        #expect(finder.paths(after: .simulated) == [place.socket, simulated])
        #expect(finder.paths(after: .simulated, isView: true) == [simulated])
        let real = MonitorFinder(of: nil, in: directories, accepting: .real)
        #expect(real.paths(isView: true) == [place.socket] && real.paths(after: .simulated, isView: true).isEmpty)
        // As a process leaves it that is killed: the lock is gone, and the note is there.
        let monitor = RunningMonitor(command: "watch", socket: place.socket)
        do {
            let lock = try FileLock(for: place.lock, timeout: 0)
            _ = lock.leave(note: monitor.note)
            #expect(finder.paths() == [place.socket] && finder.absence == .hidden(monitor))
            #expect(finder.paths(isView: true) == [place.socket])
            #expect(finder.paths(after: .simulated, isView: true) == [simulated])
        }
        // A program that another test starts in this moment has the lock, too, until it has begun.
        try await awaitCondition("nobody has the lock") { !FileLock.isHeld(for: place.lock) }
        #expect(finder.paths() == [place.socket] && finder.absence == .ended(monitor))
        let only = MonitorFinder(of: nil, in: directories, accepting: .simulated)
        #expect(only.paths() == [simulated] && only.absence == .none)
    }

    @Test("finds the sockets of simulated monitors, and no other's")
    func simulated() throws {
        let folder = try ScratchFolder()
        let directories = try Self.directories(folder)
        #expect(MonitorFinder(of: nil, in: directories).simulatedSockets.isEmpty)
        mkdir("\(folder.path)/run", 0o700)
        mkdir("\(folder.path)/run/bedside", 0o700)
        for name in ["simulated-7.sock", "monitor.sock", "patient-a.sock", "simulated-8.sock~"] {
            _ = try folder.write("", to: "run/bedside/\(name)")
        }
        #expect(
            MonitorFinder(of: nil, in: directories).simulatedSockets == ["\(folder.path)/run/bedside/simulated-7.sock"])
        #expect(
            MonitorFinder(of: nil, in: directories).simulatedSocket(process: 7)
                == "\(folder.path)/run/bedside/simulated-7.sock")
    }
}

/// A process that does nothing, until this object ends.
private final class SleepingProcess {
    let process: pid_t

    init() throws {
        var process = pid_t()
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("1000"), nil]
        defer { for argument in arguments { free(argument) } }
        let status = posix_spawnp(&process, "sleep", nil, nil, arguments, nil)
        self.process = process
        try #require(status == 0)
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }
}
