import EventLoops
import Glibc

/// Tells systemd how a service is, by the datagrams of sd_notify(3); without it, nobody.
///
/// The protocol is one datagram of lines to the socket in `NOTIFY_SOCKET`; that needs no library. It belongs to a loop's
/// thread.
final class ServiceManager {
    private let loop: EventLoop
    private let address: [UInt8]
    private let descriptor: Int32
    private var status = ""
    /// What the manager has had no room for yet; the queue of such a socket is short.
    private var waiting: [String] = []
    private var retry: LoopTimer?
    private var watchdog: LoopTimer?
    /// How often the manager wants a sign of life.
    private let watchdogInterval: Duration?

    /// What systemd has put into the environment of a service.
    struct Call: Sendable {
        /// `NOTIFY_SOCKET`: a path, or an abstract name after an `@`.
        var socket: String
        /// `WATCHDOG_USEC`: after how many microseconds without a sign of life the service counts as hung.
        var timeout: Int64?

        /// Takes it out of the environment, so that no program that this one starts speaks in its name.
        ///
        /// Quirk dbus-daemon-notifies: a message bus that was started by a service tells the manager that it is ready.
        static func take() -> Call? {
            func take(_ name: String) -> String? {
                defer { unsetenv(name) }
                return getenv(name).map { String(cString: $0) }
            }
            let (socket, timeout, process) = (take("NOTIFY_SOCKET"), take("WATCHDOG_USEC"), take("WATCHDOG_PID"))
            guard let socket else { return nil }
            let isForUs = process.map { $0 == String(getpid()) } ?? true
            return Call(socket: socket, timeout: isForUs ? timeout.flatMap { Int64($0) } : nil)
        }
    }

    /// Answers a manager's call.
    ///
    /// - Parameter loop: The loop that is alive as long as the service is.
    /// - Returns: `nil` when nobody can be reached so.
    init?(_ call: Call, on loop: EventLoop) {
        let path = call.socket
        guard path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count >= 2,
            path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        var address = Array(path.utf8)
        // An abstract name begins with a zero.
        if path.hasPrefix("@") { address[0] = 0 }
        self.address = address
        self.loop = loop
        // Twice as often as is asked for, as sd_watchdog_enabled(3) recommends.
        watchdogInterval = call.timeout.flatMap { $0 > 0 ? .microseconds(max(1000, $0 / 2)) : nil }
        let flags = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(flags), 0)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// The service does its work from now on; from now on, too, the loop has to prove that it turns.
    func ready() {
        send("READY=1")
        proveLife()
    }

    /// The service has begun to read its configuration again.
    func reloading() {
        // `RELOADING=1` wants the time by the clock that stands still while the computer sleeps.
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// The service has read its configuration.
    func reloaded() {
        send("READY=1")
    }

    /// Tells in one line how the service is, if that has changed.
    func report(status: String) {
        guard status != self.status else { return }
        self.status = status
        send("STATUS=\(status)")
    }

    /// The service ends.
    func stopping() {
        if let watchdog { loop.cancel(watchdog) }
        watchdog = nil
        // Whatever else there was to say is past.
        waiting = []
        send("STOPPING=1")
    }

    /// By the loop's own timer, so that a loop that hangs is noticed.
    private func proveLife() {
        guard let watchdogInterval else { return }
        if waiting.isEmpty { send("WATCHDOG=1") }
        watchdog = loop.schedule(after: watchdogInterval) { [weak self] in self?.proveLife() }
    }

    /// Sends as soon as there is room, in order, and without waiting: a manager that does not listen holds up nothing.
    private func send(_ lines: String) {
        // Of several texts only the newest matters.
        if lines.hasPrefix("STATUS="), waiting.last?.hasPrefix("STATUS=") == true { waiting.removeLast() }
        waiting.append(lines)
        if retry == nil { sendWaiting() }
    }

    private func sendWaiting() {
        retry = nil
        while let lines = waiting.first {
            if !sendNow(lines), errno == EAGAIN || errno == EINTR || errno == ENOBUFS {
                retry = loop.schedule(after: .milliseconds(50)) { [weak self] in self?.sendWaiting() }
                return
            }
            waiting.removeFirst()
        }
    }

    /// Sends what goes at once; answers whether it went.
    private func sendNow(_ lines: String) -> Bool {
        let octets = Array(lines.utf8)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, octets, octets.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length) >= 0
            }
        }
    }
}
