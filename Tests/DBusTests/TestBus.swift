import DBus
import EventLoop
import TestSupport

/// A private bus with a loop, for the tests of one case.
struct TestBus {
    let daemon: PrivateBusDaemon
    let running = RunningLoop()

    init() throws {
        daemon = try PrivateBusDaemon()
    }

    /// A new connection on the shared loop.
    func connect() async throws -> DBusConnection {
        try await DBusConnection.connect(to: .address(daemon.address), on: running.loop)
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
