import Glibc

/// Tells whether an adapter is off because it is blocked: by a switch, a key or `rfkill`.
///
/// Quirk blocked-looks-off: BlueZ says only that the adapter is off.
/// Source: Linux, `Documentation/ABI/stable/sysfs-class-rfkill`.
struct RadioSwitch: Sendable {
    /// Where the kernel shows its radio switches.
    var directory = "/sys/class/rfkill"

    /// Whether the switch of an adapter such as `hci0` is set to blocked; `false` when there is none.
    func isBlocked(adapter: String) -> Bool {
        guard let listing = opendir(directory) else { return false }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix("rfkill"), word(in: "\(name)/name") == adapter else { continue }
            // 0 is blocked by software, 1 is not blocked, 2 is blocked by hardware.
            return word(in: "\(name)/state").map { $0 == "0" || $0 == "2" } ?? false
        }
        return false
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
