import EventLoops
import Glibc
import UserFiles

/// Reports a service's state to systemd, by the datagrams of sd_notify(3).
///
/// The protocol is one datagram of lines to the socket in `NOTIFY_SOCKET`; that needs no library. It belongs to a loop's
/// thread.
final class ServiceManager {
    private let loop: EventLoop
    private let address: [UInt8]
    private let descriptor: Int32
    private var status = ""
    /// Messages that wait for space; the queue of such a socket is short.
    private var waiting: [String] = []
    private var retry: LoopTimer?
    private var watchdog: LoopTimer?
    /// The interval of watchdog messages.
    private let watchdogInterval: Duration?

    /// The environment of a systemd service.
    struct Call: Sendable {
        /// `NOTIFY_SOCKET`: a path, or an abstract name after an `@`.
        var socket: String
        /// `WATCHDOG_USEC`: the watchdog timeout in microseconds.
        var timeout: Int64?

        /// Removes it from the environment, so that child processes cannot use it.
        ///
        /// Quirk dbus-daemon-notifies: a message bus that a service starts reports itself as ready to the manager.
        static func take() -> Call? {
            func take(_ name: String) -> String? {
                defer { unsetenv(name) }
                return Environment.value(name)
            }
            let (socket, timeout, process) = (take("NOTIFY_SOCKET"), take("WATCHDOG_USEC"), take("WATCHDOG_PID"))
            guard let socket else { return nil }
            let isForUs = process.map { $0 == String(getpid()) } ?? true
            return Call(socket: socket, timeout: isForUs ? timeout.flatMap { Int64($0) } : nil)
        }
    }

    /// Connects to the service manager.
    ///
    /// - Parameter loop: The loop that the watchdog monitors.
    /// - Returns: `nil` when the socket cannot be reached.
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
        // Twice as often as required, as sd_watchdog_enabled(3) recommends.
        watchdogInterval = call.timeout.flatMap { $0 > 0 ? .microseconds(max(1000, $0 / 2)) : nil }
        let flags = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_UNIX, Int32(flags), 0)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Reports that the service is ready, and starts the watchdog messages.
    func ready() {
        send("READY=1")
        proveLife()
    }

    /// Reports that the service reads its configuration again.
    func reloading() {
        // `RELOADING=1` needs the time of `CLOCK_MONOTONIC`.
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// Reports that the service has read its configuration.
    func reloaded() {
        send("READY=1")
    }

    /// Reports a one-line status, if it has changed.
    func report(status: String) {
        guard status != self.status else { return }
        self.status = status
        send("STATUS=\(status)")
    }

    /// Reports that the service ends.
    func stopping() {
        if let watchdog { loop.cancel(watchdog) }
        watchdog = nil
        // Earlier messages are obsolete.
        waiting = []
        send("STOPPING=1")
    }

    /// By a timer of the monitored loop, so that a hanging loop is detected.
    private func proveLife() {
        guard let watchdogInterval else { return }
        if waiting.isEmpty { send("WATCHDOG=1") }
        watchdog = loop.schedule(after: watchdogInterval) { [weak self] in self?.proveLife() }
    }

    /// Sends in order as soon as there is space, without blocking.
    private func send(_ lines: String) {
        // Only the newest status matters.
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

    /// Sends without blocking; returns whether it was sent.
    private func sendNow(_ lines: String) -> Bool {
        let bytes = Array(lines.utf8)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count)
        return withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length) >= 0
            }
        }
    }
}
