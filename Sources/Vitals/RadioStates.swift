/// Whether there is a message bus to talk to.
public enum BusState: Codable, Hashable, Sendable {
    /// It serves us.
    case connected
    /// The bus cannot be reached; `reason` is a sentence for people.
    case lost(reason: String)
    /// A bus answers that has such sensors, while this session has the others; nothing of it is used.
    case foreign(Provenance)
}

/// Whether bluetoothd owns `org.bluez` on the bus.
public enum DaemonState: Codable, Hashable, Sendable {
    /// It does.
    case running
    /// It does not.
    case gone
    /// It does, and does not let us talk to it; `reason` is a sentence for people.
    case refused(reason: String)
    /// It does, and gives no proper answer; `reason` is a sentence for people.
    case unresponsive(reason: String)
}

/// A local radio, and whether it can be used.
public struct AdapterStatus: Codable, Hashable, Sendable {
    /// `hci0`, or `nil` when there is no adapter at all.
    public var identifier: String?
    /// The adapter's Bluetooth address.
    public var address: String?
    /// Whether it can be used.
    public var power: Power
    /// Whether it is discovering peripherals.
    public var isScanning: Bool
    /// Whether it is off because the user switched it off here, and not another program, a switch or the kernel.
    public var isSwitchedOffByUs: Bool
    /// Whether it is blocked by a switch or a key of the computer, which no program can undo.
    public var isHardBlocked: Bool
    /// Whether it is scanning and has heard nothing at all for a while, though its scan was begun anew.
    public var hearsNothing: Bool

    /// Makes a status.
    public init(
        identifier: String?, address: String?, power: Power, isScanning: Bool, isSwitchedOffByUs: Bool = false,
        isHardBlocked: Bool = false, hearsNothing: Bool = false
    ) {
        self.identifier = identifier
        self.address = address
        self.power = power
        self.isScanning = isScanning
        self.isSwitchedOffByUs = isSwitchedOffByUs
        self.isHardBlocked = isHardBlocked
        self.hearsNothing = hearsNothing
    }

    /// The states of an adapter; the raw value is the word in `bedside watch --json`.
    public enum Power: String, Codable, Hashable, Sendable {
        /// It can be used.
        case ready
        /// It is switched off, by us (``AdapterStatus/isSwitchedOffByUs``), by BlueZ or by another program.
        case off
        /// It is switched off by a switch, a key or `rfkill`.
        case blocked
        /// There is none.
        case missing
    }
}
