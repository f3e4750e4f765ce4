import VitalDecoders

/// A UUID as the decoders know it; BlueZ has a type of the same name.
typealias VitalUUID = BluetoothUUID
