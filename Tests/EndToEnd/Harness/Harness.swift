import EventLoops
import Foundation
import Testing

/// Why a test cannot go on.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Parameter sourceLocation: The line of the test, which the report of a caught error would lack.
    init(_ description: String, at sourceLocation: SourceLocation) {
        self.description = "\(sourceLocation.fileName):\(sourceLocation.line): \(description)"
    }
}

/// What all programs under test share.
enum Harness {
    /// The loop that watches every program.
    static let loop: EventLoop = {
        let loop = EventLoop()
        loop.startThread(named: "end-to-end")
        return loop
    }()

    /// The limit of a wait for something that normally takes far less than a second.
    ///
    /// It only decides how long a failure takes, so it is generous: the machine may be busy.
    static let timeout: Duration = .seconds(180)

    /// The program under test: `BEDSIDE_PROGRAM`, or the one that was built beside the tests.
    static let program: String = {
        if let path = ProcessInfo.processInfo.environment["BEDSIDE_PROGRAM"] { return path }
        return built("bedside")
    }()

    /// The path of something that was built beside the tests.
    static func built(_ name: String) -> String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// An environment in which nothing of the user who runs the tests is seen or touched.
    static func environment(home: TemporaryFolder, _ additions: [String: String]) -> [String: String] {
        var environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": home.path,
            "XDG_CONFIG_HOME": home.path + "/config",
            "XDG_DATA_HOME": home.path + "/data",
            "XDG_STATE_HOME": home.path + "/state",
            "XDG_RUNTIME_DIR": home.path,
            // No sound card is here unless a test provides one.
            "ALSA_CONFIG_PATH": "/dev/null",
            // No bus is here unless a test provides one.
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(home.path)/no-bus",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home.path)/no-bus",
        ]
        environment.merge(additions) { $1 }
        return environment
    }
}
