/// The state of the sensors as JSON, in the same form as the virtual machine with the real bluetoothd.
enum StateReport {
    static func text(_ stage: Stage?) -> String {
        guard let stage else { return "{}" }
        let (air, bluetoothd) = (stage.air, stage.bluetoothd)
        var members = ["\"adapter\": \(air.isAdapterPlugged)", "\"bluetoothd\": \(bluetoothd != nil)"]
        var keys: Set<String> = []
        for peripheral in air.peripherals {
            var key = self.key(peripheral.description.kind) ?? peripheral.address
            if !keys.insert(key).inserted { key = peripheral.address }
            members.append("\(string(key)): \(sensor(peripheral, bluetoothd?.adapter?.devices ?? [], air.clock.now))")
        }
        return "{\(members.joined(separator: ", "))}"
    }

    /// The newest events as a list of texts.
    static func events(_ stage: Stage?, _ count: Int) -> String {
        "[" + (stage?.air.log.newest(count) ?? []).map(string).joined(separator: ", ") + "]"
    }

    /// The counts of radio operations.
    static func statistics(_ stage: Stage?) -> String {
        let counts = (stage?.air.counts ?? [:]).sorted { $0.key < $1.key }
        return "{" + counts.map { "\(string($0.key)): \($0.value)" }.joined(separator: ", ") + "}"
    }

    private static func key(_ kind: SensorDescription.Kind) -> String? {
        switch kind {
        case .thermometer, .core: "temp"
        case .heartRateStrap: "hr"
        case .oximeter: "spo2"
        default: nil
        }
    }

    private static func sensor(_ peripheral: SimulatedPeripheral, _ devices: [Device], _ now: Double) -> String {
        let device = devices.first { $0.peripheral === peripheral && $0.isConnected }
        let subscribed = (device?.characteristics ?? []).filter(\.isArmed).map { characteristic in
            let word = characteristic.definition.flags.contains(.notify) ? "notify" : "indicate"
            return "\(string(characteristic.shortUUID)): \(string(word))"
        }
        let sent = peripheral.sent.sorted { $0.key < $1.key }.map { "\(string($0.key)): \($0.value)" }
        let isLinked = device != nil || peripheral.isHeldByKernel
        return """
            {"name": \(string(peripheral.name)), "address": \(string(peripheral.address)), \
            "connected": \(isLinked), \
            "connecting": \(devices.contains { $0.peripheral === peripheral && $0.isConnecting }), \
            "advertising": \(peripheral.isAdvertising && !isLinked), \
            "in_range": \(peripheral.isInRange), "subscribed": {\(subscribed.joined(separator: ", "))}, \
            "sent": {\(sent.joined(separator: ", "))}, \
            "battery": \(peripheral.battery(at: now)), "rssi": \(peripheral.signalStrength), \
            "talking": \(peripheral.isTalking), "on_body": \(peripheral.isOnBody)}
            """
    }

    /// A JSON string; everything but plain ASCII is escaped.
    private static func string(_ text: String) -> String {
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: result += "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
        return result + "\""
    }
}
