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
    /// Whether the user switched it off in Bedside, rather than another program, a switch or the kernel.
    public var isSwitchedOffByUs: Bool
    /// Whether it is blocked by a hardware switch, which no program can undo.
    public var isHardBlocked: Bool
    /// Whether it has received nothing for a while, even after its scan was restarted.
    public var hearsNothing: Bool

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
        /// It is switched off by Bedside (``AdapterStatus/isSwitchedOffByUs``), BlueZ or another program.
        case off
        /// It is switched off by a switch, a key or `rfkill`.
        case blocked
        /// There is no adapter.
        case missing
    }
}
