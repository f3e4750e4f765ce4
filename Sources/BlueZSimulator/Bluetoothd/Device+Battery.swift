import DBus

extension Device {
    /// Seconds between two looks at a battery that falls by itself.
    private static let batterySeconds = 5.0

    /// BlueZ reads the Battery Service by itself and offers the level.
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

    /// Tells of the battery's level if it is another one, and whoever has a notify session in any case.
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
