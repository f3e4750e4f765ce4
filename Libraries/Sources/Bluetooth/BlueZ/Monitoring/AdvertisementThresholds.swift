import DBus

/// From which signal strength on, and after which time, a monitored peripheral counts as found or as lost
/// (``BluetoothCentral/monitorAdvertisements(_:within:on:timeout:)``).
///
/// Source: BlueZ, `org.bluez.AdvertisementMonitor`, `RSSIHighThreshold` and its neighbours.
public struct AdvertisementThresholds: Hashable, Sendable {
    /// It is found when it is stronger than this, in dBm: -127 to 20, and not less than ``lost``.
    public var found: Int
    /// For how long it must be so strong, 1 to 300 s; whoever advertises less often than that is never found.
    public var foundAfter: Duration
    /// It is lost when it is weaker than this, in dBm, or not heard: -127 to 20.
    public var lost: Int
    /// For how long it must be so weak or silent, 1 to 300 s.
    public var lostAfter: Duration

    /// Creates thresholds; by default whatever is heard twice is found, and lost after 10 s of silence.
    public init(
        found: Int = -127, foundAfter: Duration = .seconds(1), lost: Int = -127, lostAfter: Duration = .seconds(10)
    ) {
        self.found = found
        self.foundAfter = foundAfter
        self.lost = lost
        self.lostAfter = lostAfter
    }

    /// Whether the daemon takes them.
    var isPossible: Bool {
        let (strength, seconds) = (-127...20, Int64(1)...300)
        return strength.contains(lost) && strength.contains(found) && lost <= found
            && seconds.contains(foundAfter.components.seconds) && seconds.contains(lostAfter.components.seconds)
    }

    /// The properties of a monitor's object.
    var properties: [(name: String, value: DBusValue)] {
        [
            ("RSSIHighThreshold", .int16(Int16(clamping: found))),
            ("RSSIHighTimeout", .uint16(UInt16(clamping: foundAfter.components.seconds))),
            ("RSSILowThreshold", .int16(Int16(clamping: lost))),
            ("RSSILowTimeout", .uint16(UInt16(clamping: lostAfter.components.seconds))),
        ]
    }
}
