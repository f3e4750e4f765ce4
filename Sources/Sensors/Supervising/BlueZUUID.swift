import BlueZ

/// A UUID as BlueZ knows it; the decoders have a type of the same name.
typealias BlueZUUID = BluetoothUUID

extension VitalUUID {
    /// The same UUID for the decoders.
    init(_ uuid: BlueZUUID) {
        self.init(high: uuid.high, low: uuid.low)
    }
}
