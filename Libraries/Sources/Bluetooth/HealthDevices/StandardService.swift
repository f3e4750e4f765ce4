/// The services of health devices that the Bluetooth SIG specifies, declared with the types of their values.
///
/// Characteristics that a specification calls mandatory are required when a device is connected; others are used if
/// present.
public enum StandardService {
    /// The Heart Rate Service (180D).
    public struct HeartRate: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = HeartRateService.uuid
        /// The heart rate, with contact, energy and RR intervals.
        public let measurement = Declared<HeartRateMeasurement>(.heartRateMeasurement, .notifies)
        /// Where on the body the sensor is worn.
        public let location = Declared<BodySensorLocation>(.bodySensorLocation, .isRead, .isOptional)
        /// Resets the expended energy; only sensors that measure it have this.
        public let controlPoint = Declared<HeartRateCommand>(.heartRateControlPoint, .isOptional)

        public init() {}
    }

    /// The Pulse Oximeter Service (1822).
    public struct PulseOximeter: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = PulseOximeterService.uuid
        /// Oxygen saturation and pulse rate, sent continuously.
        public let continuous = Declared<PulseOximeterContinuousMeasurement>(
            .pulseOximeterContinuous, .notifies, .isOptional)
        /// Oxygen saturation and pulse rate of one measurement.
        public let spotCheck = Declared<PulseOximeterSpotCheckMeasurement>(
            .pulseOximeterSpotCheck, .notifies, .isOptional)
        /// The features of the oximeter.
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
        /// The temperature during a measurement.
        public let intermediate = Declared<TemperatureMeasurement>(.intermediateTemperature, .notifies, .isOptional)
        /// Where on the body it measures, if that never changes.
        public let type = Declared<TemperatureType>(.temperatureType, .isRead, .isOptional)
        /// The interval between measurements.
        public let interval = Declared<MeasurementInterval>(.measurementInterval, .isRead, .isOptional)

        public init() {}
    }

    /// The Blood Pressure Service (1810).
    public struct BloodPressure: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = BloodPressureService.uuid
        /// The pressures of a finished measurement.
        public let measurement = Declared<BloodPressureMeasurement>(.bloodPressureMeasurement, .notifies)
        /// The pressure in the cuff during a measurement.
        public let cuffPressure = Declared<IntermediateCuffPressure>(.intermediateCuffPressure, .notifies, .isOptional)
        /// The features of the device.
        public let features = Declared<BloodPressureFeature>(.bloodPressureFeature, .isRead)

        public init() {}
    }

    /// The Weight Scale Service (181D).
    public struct WeightScale: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = WeightScaleService.uuid
        /// The weight.
        public let measurement = Declared<WeightMeasurement>(.weightMeasurement, .notifies)
        /// The features of the scale.
        public let features = Declared<WeightScaleFeature>(.weightScaleFeature, .isRead)

        public init() {}
    }

    /// The Glucose Service (1808).
    public struct Glucose: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = GlucoseService.uuid
        /// A stored measurement, on request.
        public let measurement = Declared<GlucoseMeasurement>(.glucoseMeasurement, .notifies)
        /// The circumstances of the last measurement sent.
        public let context = Declared<GlucoseMeasurementContext>(.glucoseMeasurementContext, .notifies, .isOptional)
        /// The features of the meter.
        public let features = Declared<GlucoseFeature>(.glucoseFeature, .isRead)
        /// Asks for stored measurements.
        public let recordAccess = Declared<RecordAccessMessage>(.recordAccessControlPoint)

        public init() {}
    }

    /// The Continuous Glucose Monitoring Service (181F).
    public struct ContinuousGlucoseMonitoring: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = ContinuousGlucoseMonitoringService.uuid
        /// The glucose concentration, sent continuously, and stored measurements on request.
        public let measurement = Declared<ContinuousGlucoseMeasurement>(.continuousGlucoseMeasurement, .notifies)
        /// The features of the sensor.
        public let features = Declared<ContinuousGlucoseFeature>(.continuousGlucoseFeature, .isRead)
        /// The status that the sensor reports.
        public let status = Declared<ContinuousGlucoseStatus>(.continuousGlucoseStatus, .isRead)
        /// When the session began.
        public let sessionStart = Declared<ContinuousGlucoseSessionStart>(.continuousGlucoseSessionStart, .isRead)
        /// The longest duration of a session.
        public let sessionRunTime = Declared<ContinuousGlucoseSessionRunTime>(.continuousGlucoseSessionRunTime, .isRead)
        /// Asks for stored measurements.
        public let recordAccess = Declared<RecordAccessMessage>(.recordAccessControlPoint)

        public init() {}
    }

    /// The Current Time Service (1805), by which a device tells its time, and some let it be set.
    public struct CurrentTime: ServiceDeclaration {
        /// The UUID of the service.
        public static let uuid = CurrentTimeService.uuid
        /// The time; `set(_:timeout:)` sets it, and not every device notifies it when it is subscribed to.
        public let time = Declared<VitalDecoders.CurrentTime>(.currentTime, .isOptional)

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

extension Declared where Value: CharacteristicValue {
    /// Declares a characteristic whose type `VitalDecoders` knows.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - options: What to do with it after connecting, and whether it is required.
    public init(_ type: CharacteristicType, _ options: DeclaredOption...) {
        self.init(type.uuid, options: Set(options))
    }
}
