import DBus

/// What a client's advertisement monitor asks for (`org.bluez.AdvertisementMonitor1`), as bluetoothd reads it
/// (`src/adv_monitor.c` of BlueZ).
struct MonitorDescription: Hashable {
    /// Octets at a place of an advertised field.
    struct Pattern: Hashable {
        var start: Int
        var type: UInt8
        var octets: [UInt8]

        /// Whether a field has them.
        func matches(_ field: AdvertisedField) -> Bool {
            field.type == type && field.octets.dropFirst(start).starts(with: octets)
        }
    }

    /// From which signal strength on a device counts as found, and below which one as lost.
    struct Thresholds: Hashable {
        /// It is found when it was stronger than this for so long, in dBm and seconds.
        var high = 0
        var highSeconds = 10.0
        /// It is lost when it was weaker than this, or not heard, for so long.
        var low = -127
        var lowSeconds = 5.0
    }

    /// One that matches is enough.
    private(set) var patterns: [Pattern] = []
    /// `nil` when every advertisement that matches is reported.
    private(set) var thresholds: Thresholds?

    /// The most patterns of one monitor, and the most monitors, that the kernel takes.
    static let (mostPatterns, mostMonitors) = (16, 32)

    /// The octets of an advertisement.
    private static let capacity = 31

    /// Reads the properties of a monitor; `nil` when bluetoothd would not take it.
    init?(_ properties: [String: DBusValue]) {
        guard properties["Type"]?.text == "or_patterns",
            case .array(let patterns, of: .structure([.byte, .byte, .bytes]))? = properties["Patterns"],
            !patterns.isEmpty
        else { return nil }
        for value in patterns {
            guard case .structure(let parts) = value, parts.count == 3, case .byte(let start) = parts[0],
                case .byte(let type) = parts[1], let octets = parts[2].bytes, !octets.isEmpty,
                Int(start) + octets.count <= Self.capacity
            else { return nil }
            self.patterns.append(Pattern(start: Int(start), type: type, octets: octets))
        }
        guard setThresholds(properties) else { return nil }
    }

    /// Sets the thresholds from those properties that are there; returns `false` when one is not valid.
    private mutating func setThresholds(_ properties: [String: DBusValue]) -> Bool {
        var strengths: [String: Int] = [:]
        var times: [String: Int] = [:]
        for name in ["RSSIHighThreshold", "RSSILowThreshold"] {
            guard let value = properties[name] else { continue }
            guard case .int16(let strength) = value else { return false }
            if strength != 127 { strengths[name] = Int(strength) }
        }
        for (name, unset) in [("RSSIHighTimeout", 0), ("RSSILowTimeout", 0), ("RSSISamplingPeriod", 256)] {
            guard let value = properties[name] else { continue }
            guard case .uint16(let number) = value else { return false }
            if number != unset { times[name] = Int(number) }
        }
        if strengths.isEmpty, times.isEmpty { return true }
        var thresholds = Thresholds()
        thresholds.low = strengths["RSSILowThreshold"] ?? thresholds.low
        thresholds.high = strengths["RSSIHighThreshold"] ?? thresholds.low
        if let seconds = times["RSSILowTimeout"] { thresholds.lowSeconds = Double(seconds) }
        if let seconds = times["RSSIHighTimeout"] { thresholds.highSeconds = Double(seconds) }
        self.thresholds = thresholds
        let strength = -127...20
        return strength.contains(thresholds.low) && strength.contains(thresholds.high)
            && thresholds.low <= thresholds.high && (1...300).contains(thresholds.lowSeconds)
            && (1...300).contains(thresholds.highSeconds) && times["RSSISamplingPeriod", default: 0] <= 255
    }

    /// Whether an advertisement is one of those that are monitored.
    func matches(_ fields: [AdvertisedField]) -> Bool {
        patterns.contains { pattern in fields.contains { pattern.matches($0) } }
    }
}
