import Glibc

/// Tells whether an adapter is off because it is blocked: by a switch, a key or `rfkill`.
///
/// Quirk blocked-looks-off: BlueZ says only that the adapter is off.
/// Source: Linux, `Documentation/ABI/stable/sysfs-class-rfkill`.
public struct RadioSwitch: Sendable {
    /// Where the kernel shows its radio switches.
    private let directory: String

    /// One of the kernel's radio switches.
    public struct State: Hashable, Sendable {
        /// What it switches, such as `hci0`.
        public let name: String
        /// Whether it is for Bluetooth, and not for Wi-Fi or another radio.
        public let isBluetooth: Bool
        /// Whether it is blocked by software.
        public let isSoftBlocked: Bool
        /// Whether it is blocked by a switch or a key of the computer.
        public let isHardBlocked: Bool
    }

    /// Looks at the kernel's radio switches.
    ///
    /// - Parameter directory: Where the kernel shows them.
    public init(directory: String = "/sys/class/rfkill") {
        self.directory = directory
    }

    /// Whether the switch of an adapter such as `hci0` is set to blocked; `false` when there is none.
    func isBlocked(adapter: String) -> Bool {
        states().first { $0.name == adapter }.map { $0.isSoftBlocked || $0.isHardBlocked } ?? false
    }

    /// All switches, in the order of their names.
    public func states() -> [State] {
        guard let listing = opendir(directory) else { return [] }
        defer { closedir(listing) }
        var states: [State] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix("rfkill"), let switched = word(in: "\(name)/name") else { continue }
            // 0 is blocked by software, 1 is not blocked, 2 is blocked by hardware; since Linux 2.6.34 it can be both.
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
