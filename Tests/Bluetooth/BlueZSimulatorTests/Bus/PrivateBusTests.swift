import CSystem
import EventLoops
import Foundation
import Testing

@testable import BlueZSimulator

@Suite("The private bus")
struct PrivateBusTests {
    @Test("it has a socket in a folder of the user alone, and leaves nothing behind")
    func startAndStop() throws {
        let bus = try PrivateBus()
        let folder = bus.directory.path
        #expect(bus.address == "unix:path=\(folder)/bus")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let process = try #require(bus.process)
        bus.remove()
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test("without dbus-daemon the failure says which package to install")
    func missingProgram() {
        do {
            try PrivateBus(program: "no-such-dbus-daemon").remove()
            Issue.record("it started")
        } catch {
            #expect(
                error.description == "The program dbus-daemon is missing, which the simulator needs; "
                    + "install the Debian package dbus-daemon.")
        }
    }

    @Test("a program that is not a bus is reported with its last output, and nothing is left behind")
    func wrongProgram() {
        do {
            try PrivateBus(program: "ls").remove()
            Issue.record("it started")
        } catch {
            #expect(error.description.hasPrefix("The simulator's bus did not come up: "))
        }
    }

    @Test("it ends with the thread that started it", .enabled(if: ChildProcess.find("setpriv") != nil))
    func endsWithItsThread() async throws {
        let bus: Result<PrivateBusRemains, any Error> = await withCheckedContinuation { continuation in
            Thread {
                continuation.resume(
                    returning: Result {
                        let bus = try PrivateBus()
                        return PrivateBusRemains(process: try #require(bus.process), directory: bus.directory)
                    })
            }.start()
        }
        let remains = try bus.get()
        defer { remains.directory.remove() }
        let begin = ContinuousClock.now
        while waitpid(remains.process, nil, WNOHANG) == 0 {
            #expect(begin.duration(to: .now) < .seconds(20), "the bus is still there")
            if begin.duration(to: .now) > .seconds(20) { return ChildProcess.end(remains.process) }
            await Task.yield()
        }
    }
}

/// What must be looked after when a bus's thread is gone.
private struct PrivateBusRemains: Sendable {
    let process: pid_t
    let directory: TemporaryDirectory
}
