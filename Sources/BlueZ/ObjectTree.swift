import DBus
struct ObjectSignal {}
struct ObjectTree {
    var peripherals: [ObjectPath: Peripheral] = [:]
    var characteristics: [ObjectPath: Characteristic] = [:]
    var sortedAdapters: [Adapter] { [] }
    var sortedPeripherals: [Peripheral] { [] }
    func announcements() -> [BlueZEvent.Kind] { [] }
    func peripheral(_ address: BluetoothAddress) -> Peripheral? { nil }
    func services(below path: ObjectPath) -> [Service] { [] }
}
extension BlueZ {
    /// Begins to reach for the bus and the daemon, and goes on until ``stop()``.
    public func start() { }
    /// Lets go of the bus.
    public func stop() { }
    func keepDiscovery(_ path: ObjectPath) {}
}
extension BlueZEvent {
    var supersession: Supersession { .none }
}
