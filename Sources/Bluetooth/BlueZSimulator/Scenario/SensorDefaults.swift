import VitalDecoders

extension SensorDescription {
    /// Creates a sensor of a kind with its defaults.
    init(kind: Kind, name: String, address: String) {
        self.init(name: name, address: address, kind: kind)
        switch kind {
        case .thermometer:
            appearance = 0x0300
            transmitPower = 0
            advertisedServices = [HealthThermometerService.uuid, DeviceInformationService.uuid]
        case .core:
            appearance = 0x0300
            advertisedServices = [
                HealthThermometerService.uuid, DeviceInformationService.uuid, BatteryService.uuid,
                CoreBodyTemperatureService.uuid,
            ]
            vitals.temperature.type = .body
        case .heartRateStrap:
            appearance = 0x0341
            transmitPower = 0
            advertisedServices = [HeartRateService.uuid]
        case .oximeter:
            appearance = 0x0C40
            advertisedServices = [PulseOximeterService.uuid]
        case .generic:
            return
        default:
            information = DeviceInformation()
            return
        }
        battery = Quantity(constant: 87)
        information = DeviceInformation()
    }
}
