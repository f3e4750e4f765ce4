import Foundation
import Glibc
import Synchronization

/// A mosquitto of a test's own, on a free port of the loopback interface; it ends with this object.
///
/// With `BEDSIDE_BROKER`, the path of amqtt, it is another broker, which shares nothing with mosquitto: `make brokers`.
public final class PrivateBroker: Sendable {
    /// The port, the same after ``kill()`` and ``start()``.
    public let port: UInt16
    /// Its folder, with its configuration.
    public let folder: ScratchFolder

    private let process = Mutex<Process?>(nil)

    /// Whether mosquitto is installed.
    public static var isHere: Bool { access(program, X_OK) == 0 }

    /// Whether it ends a connection whose client is silent for longer than it has promised; amqtt does not.
    public static var endsSilentConnections: Bool { other == nil }

    private static let other = ProcessInfo.processInfo.environment["BEDSIDE_BROKER"]
    private static let program = other ?? "/usr/sbin/mosquitto"
    private static let fileName = other == nil ? "mosquitto.conf" : "amqtt.yaml"
    /// What amqtt needs to let everybody in.
    private static let otherConfiguration = """
        listeners:
          default:
            type: tcp
            bind: 127.0.0.1:PORT
        plugins:
          amqtt.plugins.authentication.AnonymousAuthPlugin:
            allow_anonymous: true
        """

    /// Starts a broker, and waits until it listens.
    ///
    /// - Parameter configuration: Its lines, in which `PORT` and `FOLDER` stand for the port and the folder.
    public init(_ configuration: String = "listener PORT 127.0.0.1\nallow_anonymous true") throws {
        folder = try ScratchFolder()
        port = try Self.freePort()
        let text = (Self.other == nil ? configuration : Self.otherConfiguration).replacingOccurrences(
            of: "PORT", with: "\(port)"
        )
        .replacingOccurrences(of: "FOLDER", with: folder.path)
        _ = try folder.write(text + "\n", to: Self.fileName)
        try start()
    }

    deinit { kill() }

    /// Its address.
    public var address: String { "mqtt://127.0.0.1:\(port)" }

    /// The lines of the section `[ward]` by which Bedside finds it.
    public var settings: String {
        "broker = \"\(address)\"\n" + (Self.other == nil ? "" : "mqtt_version = \"3.1.1\"\n")
    }

    /// The options by which Bedside finds it.
    public var options: [String] {
        ["--set", "ward.broker=\(address)"] + (Self.other == nil ? [] : ["--set", "ward.mqtt_version=3.1.1"])
    }

    /// Starts it again; does nothing when it runs.
    public func start() throws {
        // Tests of another process may look just then whether the port is free, which takes it for a moment.
        for _ in 0..<3 where try !launch() { process.withLock { $0 = nil } }
        guard process.withLock({ $0 != nil }) else { throw TestSupportError("start of mosquitto", ECHILD) }
    }

    /// Starts a process, and waits until it listens.
    ///
    /// - Returns: Whether it does; otherwise it has ended.
    private func launch() throws -> Bool {
        try process.withLock { process in
            if process != nil { return }
            let new = Process()
            new.executableURL = URL(filePath: Self.program)
            new.arguments = ["-c", folder.path + "/" + Self.fileName]
            new.standardOutput = FileHandle.nullDevice
            new.standardError = FileHandle.nullDevice
            try new.run()
            process = new
        }
        for _ in 0..<60_000 {
            if Self.isListening(port) { return true }
            if process.withLock({ $0?.isRunning }) != true { return false }
            usleep(2000)
        }
        throw TestSupportError("start of mosquitto", ETIMEDOUT)
    }

    /// Kills it, and waits until it is gone.
    public func kill() {
        process.withLock { process in
            guard let ending = process else { return }
            Glibc.kill(ending.processIdentifier, SIGCONT)
            Glibc.kill(ending.processIdentifier, SIGKILL)
            ending.waitUntilExit()
            process = nil
        }
    }

    /// Stops it as SIGSTOP does, or continues it.
    public func setStopped(_ isStopped: Bool) {
        process.withLock { process in
            guard let process else { return }
            Glibc.kill(process.processIdentifier, isStopped ? SIGSTOP : SIGCONT)
        }
    }

    /// A port that nobody listens on.
    public static func freePort() throws -> UInt16 {
        // What the kernel hands out for connections of other tests lies higher, so it cannot take the port meanwhile.
        for _ in 0..<1000 {
            let port = 10_000 + lastPort.wrappingAdd(1, ordering: .relaxed).newValue % 20_000
            if isFree(port) { return port }
        }
        throw TestSupportError("bind", EADDRINUSE)
    }

    /// Each process of tests begins elsewhere.
    private static let lastPort = Atomic(UInt16(truncatingIfNeeded: getpid() &* 257))

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func isListening(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
