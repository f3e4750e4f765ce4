import DBus

extension Device {
    /// Seconds between two checks of a battery that discharges by itself.
    private static let batterySeconds = 5.0

    /// Exports the battery level, which BlueZ reads from the Battery Service.
    func addBattery() {
        guard case .up(let link) = link, link.disconnections == nil, peripheral.description.battery != nil else {
            return
        }
        let level = peripheral.battery(at: world.clock.now)
        batteryLevel = level
        world.tree.add(
            path,
            [ExportedInterface(Self.batteryInterface, properties: [("Percentage", .byte(UInt8(clamping: level)))])])
        watchBattery()
    }

    func removeBattery() {
        guard batteryLevel != nil else { return }
        batteryLevel = nil
        world.tree.remove(path, [Self.batteryInterface])
    }

    private func watchBattery() {
        guard peripheral.hasChangingBattery else { return }
        whileUnchanged(after: Self.batterySeconds) { device in
            device.batteryMayHaveChanged()
            if device.batteryLevel != nil { device.watchBattery() }
        }
    }

    /// Signals a changed battery level, and in any case notifies clients with a notify session.
    func batteryMayHaveChanged(isNotified: Bool = false) {
        guard let known = batteryLevel else { return }
        let level = peripheral.battery(at: world.clock.now)
        if level != known {
            batteryLevel = level
            world.tree.change(path, Self.batteryInterface, [("Percentage", .byte(UInt8(clamping: level)))])
        }
        guard level != known || isNotified else { return }
        for characteristic in characteristics where characteristic.definition.content == .batteryLevel {
            send([UInt8(clamping: level)], to: characteristic)
        }
    }
}
