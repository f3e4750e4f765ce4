import SensorDrivers

/// An oximeter clip: after `01` is written to it, it sends saturation and pulse rate, with their sum.
struct MyClip: SensorDriver {
    static let service = BluetoothUUID(0xFFF0)
    static let writing = BluetoothUUID(0xFFF1)
    static let notifying = BluetoothUUID(0xFFF2)

    init(_ context: DriverContext) {}

    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction] {
        switch event {
        case .connected: return [.request(.subscribe(Self.notifying))]
        case .succeeded(let request) where request.kind == .subscribe:
            return [.request(.write([0x01], to: Self.writing))]
        case .received(let octets, _):
            guard octets.count == 3, Checksum.sum(octets.prefix(2)) == octets[2] else {
                let error = MalformedValueError(offset: 2, reason: "the checksum does not fit")
                return [.malformed(octets, of: Self.notifying, error)]
            }
            return [
                .streaming,
                .reading(.oxygenSaturation, .measured(VitalValue(whole: Int(octets[0])), .good)),
                .reading(.pulseRate, .measured(VitalValue(whole: Int(octets[1])), .good)),
            ]
        default: return []
        }
    }
}
