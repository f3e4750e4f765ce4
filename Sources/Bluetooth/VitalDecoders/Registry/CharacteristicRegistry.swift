extension CharacteristicType {
    /// Every characteristic that this module decodes, by service.
    public static let all: [CharacteristicType] =
        HealthThermometerService.characteristics
        + HeartRateService.characteristics
        + PulseOximeterService.characteristics
        + BatteryService.characteristics
        + DeviceInformationService.characteristics
        + BloodPressureService.characteristics
        + WeightScaleService.characteristics
        + CurrentTimeService.characteristics
        + GlucoseService.characteristics
        + ContinuousGlucoseMonitoringService.characteristics
        + [.recordAccessControlPoint]
        + CoreBodyTemperatureService.characteristics

    private static let byUUID: [BluetoothUUID: CharacteristicType] = {
        var result: [BluetoothUUID: CharacteristicType] = [:]
        for characteristic in all {
            result[characteristic.uuid] = characteristic
        }
        return result
    }()

    /// The characteristic with this UUID, or `nil` when this module does not decode it.
    public static func with(uuid: BluetoothUUID) -> CharacteristicType? {
        byUUID[uuid]
    }
}
