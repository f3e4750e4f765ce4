import BlueZ
import DBus
import EventLoops

/// Where the sensors are: a message bus with a Bluetooth service, real or simulated.
package struct SensorSource: Sendable {
    /// The bus of bluetoothd.
    package let bus: BusAddress
    /// Whether the data are simulated, which every screen and line must show.
    package let isSimulated: Bool
    /// The name that a simulator has on its bus.
    private let simulatorName: String
    private let end: @Sendable () async -> Void

    /// Describes a source that is ready.
    ///
    /// - Parameters:
    ///   - bus: The bus of bluetoothd.
    ///   - isSimulated: Whether this program simulates the sensors.
    ///   - simulatorName: The name of a simulator on its bus.
    ///   - end: Ends the service on the bus.
    package init(
        bus: BusAddress, isSimulated: Bool, simulatorName: String, end: @escaping @Sendable () async -> Void = {}
    ) {
        (self.bus, self.isSimulated, self.simulatorName, self.end) = (bus, isSimulated, simulatorName, end)
    }

    /// Creates the BlueZ client on this source's bus; it must be started.
    ///
    /// A non-standard bus address may belong to a simulator started by `bedside simulate`; the bus itself says so. Data
    /// of the other kind are refused later.
    package func makeBlueZ(on loop: EventLoop) -> BluetoothCentral {
        BluetoothCentral(
            loop: loop, bus: bus, mark: simulatorName,
            isMarked: isSimulated ? true : bus.isUsualSystemBus ? false : nil)
    }

    /// Ends the service on the bus, if this program runs it.
    package func close() async { await end() }
}
