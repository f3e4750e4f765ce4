import EventLoops
import Glibc
import TestSupport
import Testing

@testable import DBus

@Suite("A bus that hangs", .timeLimit(.minutes(10)))
struct HangingBusTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()

    init() throws {
        folder = try ScratchFolder()
    }

    private func failure(at address: String, within limit: Duration) async -> DBusConnectionError? {
        await DBusTests.failure { () async throws(DBusConnectionError) in
            _ = try await DBusConnection.connect(to: .address(address), on: running.loop, within: limit)
        }
    }

    @Test(
        "is given up at the limit, and that it does not answer is the reason", arguments: HangingBus.Behaviour.allCases)
    func limit(behaviour: HangingBus.Behaviour) async throws {
        let bus = try HangingBus(behaviour, path: folder.path + "/bus")
        let failure = await failure(at: bus.address, within: .milliseconds(100))
        #expect(failure?.isWithoutAnswer == true, "\(String(describing: failure))")
        #expect(failure?.description == "it does not answer")
    }

    @Test("holds up neither the loop nor a connection to another bus", arguments: HangingBus.Behaviour.allCases)
    func others(behaviour: HangingBus.Behaviour) async throws {
        let hanging = try HangingBus(behaviour, path: folder.path + "/bus")
        let loop = running.loop
        // Longer than the time limit of this suite: what follows comes to pass while it is waited for.
        let attempt = Task(executorPreference: loop) {
            _ = try? await DBusConnection.connect(to: .address(hanging.address), on: loop, within: .seconds(600))
        }
        let bus = try PrivateBusDaemon()
        // On the same thread, and on another one of the same process.
        let connection = try await DBusConnection.connect(to: .address(bus.address), on: loop)
        #expect(try await connection.owner(of: "org.freedesktop.DBus") == "org.freedesktop.DBus")
        let other = RunningLoop()
        let second = try await DBusConnection.connect(to: .address(bus.address), on: other.loop)
        #expect(second.uniqueName != connection.uniqueName)
        attempt.cancel()
    }

    @Test("costs one thread, however often it is tried")
    func threads() async throws {
        let bus = try HangingBus(.fullQueue, path: folder.path + "/bus")
        for _ in 0..<20 {
            #expect(await failure(at: bus.address, within: .milliseconds(5))?.isWithoutAnswer == true)
            #expect(ConnectionAttempt.leftBehindCount(bus.address) == 1)
        }
    }

    @Test("that comes to life is reached by the next attempt")
    func recovery() async throws {
        let daemon = try PrivateBusDaemon()
        let first = try await DBusConnection.connect(to: .address(daemon.address), on: running.loop)
        let bus = "org.freedesktop.DBus"
        let answer = try await first.call(bus, .root, bus, "GetConnectionUnixProcessID", [.string(bus)])
        let process = try #require(answer.first?.integer.flatMap { pid_t(exactly: $0) })
        try #require(process > 1 && kill(process, SIGSTOP) == 0)
        #expect(await failure(at: daemon.address, within: .milliseconds(100))?.isWithoutAnswer == true)
        kill(process, SIGCONT)
        let connection = try await DBusConnection.connect(to: .address(daemon.address), on: running.loop)
        #expect(connection.uniqueName.hasPrefix(":"))
    }
}
