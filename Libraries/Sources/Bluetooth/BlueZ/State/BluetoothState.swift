import Base

/// Whether Bluetooth can be used on this computer, and if not, the most fundamental reason.
///
/// A bus or a daemon that does not answer at present counts as there (``BlueZEvent/Kind/bus(_:)``,
/// ``BlueZEvent/Kind/daemon(_:)``).
public enum BluetoothState: Hashable, Sendable {
    /// Not known yet: the central was not started, or bus and daemon have not answered.
    case unknown
    /// The message bus cannot be reached; the reason is a sentence.
    case noBus(reason: String)
    /// A bus of another kind than the first one answers, and is not used.
    case foreignBus
    /// The message bus does not let this user talk to the daemon; the reason is a sentence.
    case unauthorized(reason: String)
    /// The daemon gives no valid answer; the reason is a sentence.
    case unusable(reason: String)
    /// The kernel has no Bluetooth, and no daemon or adapter is there.
    case unsupported
    /// The daemon is not running.
    case noDaemon
    /// There is no adapter.
    case noAdapter
    /// The adapter, such as `hci0`, is switched off.
    case off(adapter: String)
    /// The adapter, such as `hci0`, is off because it is blocked.
    case blocked(adapter: String, RadioSwitch.Block)
    /// An adapter is on.
    case on
}

extension BluetoothState {
    /// Finds the state.
    ///
    /// - Parameters:
    ///   - bus: The state of the bus; `nil` before its first event.
    ///   - daemon: The state of the daemon; `nil` before its first event.
    ///   - adapter: The adapter in use; `nil` for none.
    ///   - block: How that adapter is blocked; `nil` if it is not.
    ///   - isSupported: Whether the kernel has Bluetooth; `true` when unknown.
    init(bus: BusState?, daemon: DaemonState?, adapter: Adapter?, block: RadioSwitch.Block?, isSupported: Bool) {
        switch bus {
        case nil: self = .unknown
        case .lost(let reason): self = .noBus(reason: reason)
        case .foreign: self = .foreignBus
        case .connected, .silent:
            switch daemon {
            case nil: self = .unknown
            case .gone: self = isSupported ? .noDaemon : .unsupported
            case .refused(let reason): self = .unauthorized(reason: reason)
            case .unusable(let reason): self = .unusable(reason: reason)
            case .running, .silent: self.init(adapter, block, isSupported: isSupported)
            }
        }
    }

    private init(_ adapter: Adapter?, _ block: RadioSwitch.Block?, isSupported: Bool) {
        guard let adapter else {
            self = isSupported ? .noAdapter : .unsupported
            return
        }
        if adapter.isPowered {
            self = .on
        } else {
            self = block.map { .blocked(adapter: adapter.id, $0) } ?? .off(adapter: adapter.id)
        }
    }
}

extension BluetoothState: CustomStringConvertible {
    /// What is wrong and what to do, in sentences for users.
    public var description: String {
        switch self {
        case .unknown: "Bluetooth has not been reached yet. Start the central, and wait a moment."
        case .noBus(let reason): Self.text(reason, "Try: sudo systemctl start dbus")
        case .foreignBus: "The message bus is of another kind than the first one. Start this program anew."
        case .unauthorized(let reason):
            Self.text(reason, "Try: sudo usermod --append --groups bluetooth \"$USER\", then log out and in again.")
        case .unusable(let reason): Self.text(reason, "Try: sudo systemctl restart bluetooth")
        case .unsupported:
            "This computer has no Bluetooth. Plug in an adapter; if that changes nothing, try: sudo modprobe bluetooth"
        case .noDaemon:
            "The Bluetooth service (bluetoothd) is not running. Try: sudo systemctl start bluetooth"
        case .noAdapter: "There is no Bluetooth adapter. Plug one in, or switch it on in the computer's firmware."
        case .off(let adapter): "The Bluetooth adapter \(adapter) is switched off. Try: bluetoothctl power on"
        case .blocked(let adapter, .soft):
            "The Bluetooth adapter \(adapter) is blocked (airplane mode). Try: rfkill unblock bluetooth"
        case .blocked(let adapter, .hard):
            """
            The Bluetooth adapter \(adapter) is blocked by a switch or a key of the computer. Move that switch, or press \
            that key.
            """
        case .on: "Bluetooth is on."
        }
    }

    /// A reason, which has words of other programs, and a remedy.
    private static func text(_ reason: String, _ remedy: String) -> String {
        "\(sanitized(reason, limit: 240)) \(remedy)"
    }
}

/// Bluetooth cannot be used (``BluetoothCentral/ready(timeout:)``).
public struct BluetoothUnavailableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The state when the time was over.
    public let state: BluetoothState

    /// Makes an error, for tests.
    public init(state: BluetoothState) {
        self.state = state
    }

    /// What is wrong and what to do, in sentences for users.
    public var description: String { state.description }
}
