/// The services of health devices that the Bluetooth SIG specifies, declared with the types of their values.
///
/// What a specification calls mandatory must be there when a device is connected; the rest is used where it is there.
public enum StandardService {
    /// The Heart Rate Service (180D).
    public struct HeartRate: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = HeartRateService.uuid
        /// The heart rate, and what comes with it.
        public let measurement = Declared<HeartRateMeasurement>(.heartRateMeasurement, .notifies)
        /// Where on the body the sensor is worn.
        public let location = Declared<BodySensorLocation>(.bodySensorLocation, .isRead, .isOptional)
        /// Sets the expended energy back; only sensors that count it have this.
        public let controlPoint = Declared<HeartRateCommand>(.heartRateControlPoint, .isOptional)

        public init() {}
    }

    /// The Pulse Oximeter Service (1822).
    public struct PulseOximeter: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = PulseOximeterService.uuid
        /// Oxygen saturation and pulse rate, again and again.
        public let continuous = Declared<PulseOximeterContinuousMeasurement>(
            .pulseOximeterContinuous, .notifies, .isOptional)
        /// Oxygen saturation and pulse rate of one measurement.
        public let spotCheck = Declared<PulseOximeterSpotCheckMeasurement>(
            .pulseOximeterSpotCheck, .notifies, .isOptional)
        /// What the oximeter can do.
        public let features = Declared<PulseOximeterFeatures>(.pulseOximeterFeatures, .isRead)
        /// Asks for stored measurements.
        public let recordAccess = Declared<RecordAccessMessage>(.recordAccessControlPoint, .isOptional)

        public init() {}
    }

    /// The Health Thermometer Service (1809).
    public struct HealthThermometer: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = HealthThermometerService.uuid
        /// The temperature of a finished measurement.
        public let measurement = Declared<TemperatureMeasurement>(.temperatureMeasurement, .notifies)
        /// The temperature while a measurement is going on.
        public let intermediate = Declared<TemperatureMeasurement>(.intermediateTemperature, .notifies, .isOptional)
        /// Where on the body it measures, when that never changes.
        public let type = Declared<TemperatureType>(.temperatureType, .isRead, .isOptional)
        /// The time between two measurements.
        public let interval = Declared<MeasurementInterval>(.measurementInterval, .isRead, .isOptional)

        public init() {}
    }

    /// The Blood Pressure Service (1810).
    public struct BloodPressure: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = BloodPressureService.uuid
        /// The pressures of a finished measurement.
        public let measurement = Declared<BloodPressureMeasurement>(.bloodPressureMeasurement, .notifies)
        /// The pressure in the cuff while a measurement is going on.
        public let cuffPressure = Declared<IntermediateCuffPressure>(.intermediateCuffPressure, .notifies, .isOptional)
        /// What the device can do.
        public let features = Declared<BloodPressureFeature>(.bloodPressureFeature, .isRead)

        public init() {}
    }

    /// The Weight Scale Service (181D).
    public struct WeightScale: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = WeightScaleService.uuid
        /// The weight.
        public let measurement = Declared<WeightMeasurement>(.weightMeasurement, .notifies)
        /// What the scale can do.
        public let features = Declared<WeightScaleFeature>(.weightScaleFeature, .isRead)

        public init() {}
    }

    /// The Glucose Service (1808).
    public struct Glucose: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = GlucoseService.uuid
        /// A stored measurement, when asked for.
        public let measurement = Declared<GlucoseMeasurement>(.glucoseMeasurement, .notifies)
        /// The circumstances of the measurement that came last.
        public let context = Declared<GlucoseMeasurementContext>(.glucoseMeasurementContext, .notifies, .isOptional)
        /// What the meter can do.
        public let features = Declared<GlucoseFeature>(.glucoseFeature, .isRead)
        /// Asks for stored measurements.
        public let recordAccess = Declared<RecordAccessMessage>(.recordAccessControlPoint)

        public init() {}
    }

    /// The Continuous Glucose Monitoring Service (181F).
    public struct ContinuousGlucoseMonitoring: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = ContinuousGlucoseMonitoringService.uuid
        /// The glucose concentration, again and again, and stored measurements when asked for.
        public let measurement = Declared<ContinuousGlucoseMeasurement>(.continuousGlucoseMeasurement, .notifies)
        /// What the sensor can do.
        public let features = Declared<ContinuousGlucoseFeature>(.continuousGlucoseFeature, .isRead)
        /// What the sensor says about itself.
        public let status = Declared<ContinuousGlucoseStatus>(.continuousGlucoseStatus, .isRead)
        /// When the session began.
        public let sessionStart = Declared<ContinuousGlucoseSessionStart>(.continuousGlucoseSessionStart, .isRead)
        /// How long a session may take.
        public let sessionRunTime = Declared<ContinuousGlucoseSessionRunTime>(.continuousGlucoseSessionRunTime, .isRead)
        /// Asks for stored measurements.
        public let recordAccess = Declared<RecordAccessMessage>(.recordAccessControlPoint)

        public init() {}
    }

    /// The Battery Service (180F).
    public struct Battery: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = BatteryService.uuid
        /// The charge.
        public let level = Declared<BatteryLevel>(.batteryLevel, .isRead, .isOptional)

        public init() {}
    }

    /// The Device Information Service (180A).
    public struct DeviceInformation: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = DeviceInformationService.uuid
        /// The name of the manufacturer.
        public let manufacturer = Declared<DeviceInformationText>(.manufacturerName, .isRead, .isOptional)
        /// The model number.
        public let model = Declared<DeviceInformationText>(.modelNumber, .isRead, .isOptional)
        /// The serial number.
        public let serialNumber = Declared<DeviceInformationText>(.serialNumber, .isRead, .isOptional)
        /// The revision of the hardware.
        public let hardwareRevision = Declared<DeviceInformationText>(.hardwareRevision, .isRead, .isOptional)
        /// The revision of the firmware.
        public let firmwareRevision = Declared<DeviceInformationText>(.firmwareRevision, .isRead, .isOptional)
        /// The revision of the software.
        public let softwareRevision = Declared<DeviceInformationText>(.softwareRevision, .isRead, .isOptional)
        /// The manufacturer's identifier of the device.
        public let systemIdentifier = Declared<SystemIdentifier>(.systemIdentifier, .isRead, .isOptional)

        public init() {}
    }
}
