@testable import DBus
import EventLoops
import TestSupport

/// A private bus with a loop, for the tests of one case.
final class TestBus: Sendable {
    let daemon: PrivateBusDaemon
    let running = RunningLoop()
    private let kept = Recorder<LoopActor>()

    init() throws {
        daemon = try PrivateBusDaemon()
    }

    /// A new connection on the shared loop.
    func connect() async throws -> DBusConnection {
        try await DBusConnection.connect(to: .address(daemon.address), on: running.loop)
    }

    /// An actor on the shared loop that lives as long as the bus.
    func receiver() -> LoopActor {
        let actor = LoopActor(loop: running.loop)
        kept.record(actor)
        return actor
    }
}

/// A path that is written in a test.
func path(_ text: String) throws -> ObjectPath {
    guard let path = ObjectPath(text) else { throw InvalidTestPath(text: text) }
    return path
}

struct InvalidTestPath: Error {
    let text: String
}

/// A method that answers with its arguments.
func echo(_ signature: String) -> ExportedMethod {
    ExportedMethod("Echo", input: signature, output: signature) { call throws(DBusConnectionError) in call.arguments }
}

/// The failure of a call that must fail.
func failure(of call: () async throws(DBusConnectionError) -> Void) async -> DBusConnectionError? {
    do {
        try await call()
        return nil
    } catch {
        return error
    }
}

extension DBusConnection {
    /// How many handlers and streams of signals there are.
    var signalHandlerCount: Int { signalHandlers.count }

    /// How many calls wait for their answer.
    var pendingCallCount: Int { transport.pendingCallCount }
}
