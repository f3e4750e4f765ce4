import DBus
import EventLoops

/// A step of an operation of this program on a peripheral, for a trace.
///
/// What bluetoothd reports by itself, such as a link or a notification, is a ``BlueZEvent``.
public struct PeripheralOperation: Hashable, Sendable {
    /// When the daemon was asked, or answered.
    public let timestamp: Timestamp
    /// The peripheral.
    public let peripheral: BluetoothAddress
    /// What the daemon was asked for.
    public let kind: Kind
    /// Whether it has answered, and what.
    public let stage: Stage

    /// Makes a step, for tests.
    public init(timestamp: Timestamp, peripheral: BluetoothAddress, kind: Kind, stage: Stage) {
        (self.timestamp, self.peripheral, self.kind, self.stage) = (timestamp, peripheral, kind, stage)
    }

    /// The kinds of operations; what a user types or is shown for a pairing is not part of any.
    public enum Kind: Hashable, Sendable {
        case connect, disconnect, pair, remove
        case read(CharacteristicReference)
        case write(CharacteristicReference, [UInt8], WriteMode)
        case subscribe(CharacteristicReference)
        case unsubscribe(CharacteristicReference)
    }

    /// The stages of an operation.
    public enum Stage: Hashable, Sendable {
        /// The daemon is asked.
        case began
        /// It was done; with the octets of a read, and none of any other operation.
        case succeeded([UInt8])
        /// It failed, with the name and the text of the daemon's error; both are empty for an error of this side.
        case failed(BlueZError)
    }
}

extension BluetoothCentral {
    /// The steps of all operations from now on, for one reader; without one, nothing is collected.
    ///
    /// They are in the order of ``events()``. The sequence ends with ``stop()``.
    public func operations() -> BroadcastSequence<PeripheralOperation> { operationBroadcast.subscribe() }

    /// Reports a step of an operation to the readers, if there are any.
    func trace(
        _ peripheral: BluetoothAddress, _ kind: @autoclosure () -> PeripheralOperation.Kind,
        _ stage: @autoclosure () -> PeripheralOperation.Stage
    ) {
        guard operationBroadcast.readerCount > 0 else { return }
        operationBroadcast.send(
            PeripheralOperation(timestamp: .now(), peripheral: peripheral, kind: kind(), stage: stage()))
    }
}
