import EventLoops
import Glibc
import UserFiles

/// The kernel's radio switches: whether an adapter is off because it is blocked, by a switch, a key or `rfkill`.
///
/// Quirk blocked-looks-off: BlueZ reports only that the adapter is off. Source: Linux,
/// `Documentation/ABI/stable/sysfs-class-rfkill`, `Documentation/driver-api/rfkill.rst`.
public struct RadioSwitch: Sendable {
    /// How an adapter is blocked.
    public enum Block: Hashable, Sendable {
        /// By a program or airplane mode; `rfkill unblock` ends it.
        case soft
        /// By a switch or a key of the computer, which only the user can operate.
        case hard
    }

    /// The kernel's folder of radio switches.
    private let directory: String
    /// The kernel's device that reports changes of switches.
    let device: String

    /// No switches: what BlueZ itself reports has to do.
    static let unknown = RadioSwitch(directory: "", device: "")

    /// One of the kernel's radio switches.
    public struct State: Hashable, Sendable {
        /// The adapter that it switches, such as `hci0`.
        public let name: String
        /// Whether it is for Bluetooth, not for Wi-Fi or another radio.
        public let isBluetooth: Bool
        /// Whether it is blocked by software.
        public let isSoftBlocked: Bool
        /// Whether it is blocked by a switch or a key of the computer.
        public let isHardBlocked: Bool

        /// How it blocks its adapter; `nil` if it does not.
        var block: Block? { isHardBlocked ? .hard : isSoftBlocked ? .soft : nil }
    }

    /// Reads the kernel's radio switches.
    ///
    /// - Parameters:
    ///   - directory: The kernel's folder of switches.
    ///   - device: The kernel's device that reports changes of switches.
    public init(directory: String = "/sys/class/rfkill", device: String = "/dev/rfkill") {
        self.directory = directory
        self.device = device
    }

    /// How an adapter that is off is blocked; `nil` for one that is on, or only switched off.
    public func block(of adapter: Adapter) -> Block? {
        // A new bluetoothd reports that; the kernel reports the cause.
        guard !adapter.isPowered, adapter.isBlocked != false else { return nil }
        let kernel = states().first { $0.name == adapter.id }
        return kernel?.block ?? (adapter.isBlocked == true ? .soft : nil)
    }

    /// All switches, in the order of their names.
    public func states() -> [State] {
        var states: [State] = []
        for name in FolderListing.names(in: directory) ?? [] {
            guard name.hasPrefix("rfkill"), let switched = word(in: "\(name)/name") else { continue }
            // 0 is blocked by software, 1 is not blocked, 2 is blocked by hardware; the newer files report both at
            // once.
            let state = word(in: "\(name)/state")
            states.append(
                State(
                    name: switched, isBluetooth: word(in: "\(name)/type") == "bluetooth",
                    isSoftBlocked: state == "0" || word(in: "\(name)/soft") == "1",
                    isHardBlocked: state == "2" || word(in: "\(name)/hard") == "1"))
        }
        return states.sorted { $0.name < $1.name }
    }

    /// The first word of a small file; `nil` when it cannot be read.
    private func word(in file: String) -> String? {
        let descriptor = open("\(directory)/\(file)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace).first
            .map(String.init)
    }
}

/// Reports changes of radio switches until ``stop()``; used on its loop only.
public final class RadioSwitchWatch {
    private let loop: EventLoop
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// Calls a handler on the loop's thread after each change, once for several at the same time.
    ///
    /// - Returns: `nil` if the device is missing or not readable; then a block is noticed with the adapter's next
    ///   change.
    public init?(_ radioSwitch: RadioSwitch, on loop: EventLoop, _ handler: @escaping () -> Void) {
        let descriptor = open(radioSwitch.device, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        self.loop = loop
        self.descriptor = descriptor
        watch = loop.watch(descriptor, for: .readable) { [self] _ in
            if drain() { handler() }
        }
    }

    /// Reads the pending events of switches; returns whether there were any.
    private func drain() -> Bool {
        // An event has 8 bytes, or 9 since Linux 5.11; each read returns one.
        var event = [UInt8](repeating: 0, count: 16)
        var isNews = false
        while true {
            let count = read(descriptor, &event, event.count)
            if count > 0 {
                isNews = true
            } else if count < 0, errno == EINTR {
                continue
            } else {
                // End of file, which a device does not have: without this the loop would spin.
                if count == 0 || errno != EAGAIN { stop() }
                return isNews
            }
        }
    }

    /// Ends the watch; until then the loop keeps this object.
    public func stop() {
        guard let watch else { return }
        self.watch = nil
        loop.unwatch(watch)
        close(descriptor)
    }
}
