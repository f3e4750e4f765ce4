import DBus
import Foundation
import Testing

extension World {
    /// Whatever the scenario before did to the machine is undone, and BlueZ forgets every sensor.
    ///
    /// - Parameter name: Who is in it.
    func reset(to name: String) async throws {
        try await Refusal.end(at: address)
        try await please("reset \(name)")
        let program = try await otherProgram()
        try await waitUntil("the adapter is on and idle, and no sensor is known") {
            let isPowered = try await program.adapter("Powered")?.isTrue
            let isDiscovering = try await program.adapter("Discovering")?.isTrue
            guard isPowered == true, isDiscovering == false else { return false }
            return try await program.devices().isEmpty
        }
        try await waitUntilNothingIsConnected()
        await program.leave()
    }
}

/// A policy of the machine's bus that forbids to call bluetoothd, which even root obeys.
enum Refusal {
    private static let file = "/etc/dbus-1/system.d/zz-bedside-refusal.conf"

    private static let policy = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <policy context="mandatory">
            <deny send_destination="org.bluez"/>
          </policy>
        </busconfig>
        """

    /// Puts the policy into force.
    static func begin(at address: String) async throws {
        try policy.write(toFile: file, atomically: false, encoding: .utf8)
        try await reload(address)
    }

    /// Puts the policy out of force, if it is in.
    static func end(at address: String) async throws {
        guard FileManager.default.fileExists(atPath: file) else { return }
        try FileManager.default.removeItem(atPath: file)
        // Where there is no bus, the next one knows of nothing.
        try? await reload(address)
    }

    private static func reload(_ address: String) async throws {
        let bus = try await DBusConnection.connect(to: .address(address), on: Harness.loop)
        let path = try #require(ObjectPath("/org/freedesktop/DBus"))
        try await bus.call("org.freedesktop.DBus", path, "org.freedesktop.DBus", "ReloadConfig")
        await bus.close()
    }
}
