import DBus
import Testing

extension World {
    /// Whatever the scenario before did to the machine is undone, and BlueZ forgets every sensor.
    func reset() async throws {
        for command in [
            "dbus-start", "permit on", "rfkill unblock", "plug", "bluez-start", "dupfilter on", "latency 0.02",
            "return all", "loud all", "adv all on", "refuse all 0", "interval all 1", "rssi all -58", "battery all 87",
            "temp 36.8", "unit c", "hr 72", "contact on", "spo2 98", "pulse 71",
        ] { try await please(command) }
        for (word, name) in zip(Steady.words, Steady.all) { try await please("rename \(word) \(name)") }

        let program = try await otherProgram()
        try await waitUntil("the adapter is there") { try await program.adapter("Powered") != nil }
        if try await program.adapter("Powered")?.isTrue == false { try await program.setPower(true) }
        try await waitUntil("the adapter is on and idle") {
            let isPowered = try await program.adapter("Powered")?.isTrue
            let isDiscovering = try await program.adapter("Discovering")?.isTrue
            return isPowered == true && isDiscovering == false
        }
        try await waitUntil("BlueZ has forgotten every sensor") {
            let devices = try await program.devices()
            // One that goes by itself meanwhile is gone all the same.
            for device in devices { try? await program.remove(device) }
            return devices.isEmpty
        }
        try await waitUntilNothingIsConnected()
        await program.leave()
    }
}
