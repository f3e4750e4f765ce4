import CSystem
import Doctor
import EventLoops
import Glibc
import Sensors
import UserFiles

extension BluetoothExamination {
    /// Collects facts from the kernel.
    mutating func examineComputer() {
        var system = utsname()
        if uname(&system) == 0 {
            let release = withUnsafeBytes(of: &system.release) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            facts.kernel = "Linux \(release)"
        }
        facts.kernelAdapters = FolderListing.names(in: "/sys/class/bluetooth")?.filter {
            $0.hasPrefix("hci") && !$0.contains(":")
        }
        facts.switches = RadioSwitch().states().filter(\.isBluetooth).map {
            RadioSwitchFacts(name: $0.name, isSoftBlocked: $0.isSoftBlocked, isHardBlocked: $0.isHardBlocked)
        }
        facts.isDaemonInstalled = InstalledDaemon.path != nil
    }
}

/// The installed program of bluetoothd, running or not.
enum InstalledDaemon {
    /// Its paths in distributions.
    private static let paths = [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
        "/usr/local/libexec/bluetooth/bluetoothd",
    ]

    /// Its path; `nil` when it is not installed.
    static var path: String? { paths.first { access($0, X_OK) == 0 } }

    /// Its version; `nil` without an answer within two seconds.
    static func version() -> String? {
        guard let path else { return nil }
        var pipe: [Int32] = [-1, -1]
        guard csystem_pipe(&pipe) == 0 else { return nil }
        let output = pipe[0]
        let started = try? ChildProcess.start(
            [path, "--version"], input: .nothing, output: .descriptor(pipe[1]), errors: .nothing)
        close(pipe[1])
        defer { close(output) }
        guard let process = started else { return nil }
        defer { ChildProcess.end(process) }
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 2000) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(output, &buffer, buffer.count)
        return count > 0 ? DaemonVersion.version(printed: String(decoding: buffer[..<count], as: UTF8.self)) : nil
    }
}
