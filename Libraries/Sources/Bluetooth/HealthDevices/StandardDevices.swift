/// A heart rate sensor, such as a chest strap (Heart Rate Profile 1.0).
public struct HeartRateSensor: DeviceDeclaration {
    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [StandardService.HeartRate.uuid])
    /// The heart rate.
    public let heartRate = StandardService.HeartRate()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}

/// A pulse oximeter (Pulse Oximeter Profile 1.0).
public struct PulseOximeterSensor: DeviceDeclaration {
    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [StandardService.PulseOximeter.uuid])
    /// One for a fingertip, and one that is worn on the wrist.
    public static let variants = [
        DeviceVariant("fingertip", DiscoveryCriteria(appearance: .fingertipPulseOximeter)),
        DeviceVariant("wrist", DiscoveryCriteria(appearance: .wristPulseOximeter)),
    ]
    /// Oxygen saturation and pulse rate.
    public let pulseOximeter = StandardService.PulseOximeter()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}

/// A clinical thermometer (Health Thermometer Profile 1.0).
public struct Thermometer: DeviceDeclaration {
    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [StandardService.HealthThermometer.uuid])
    /// One for the ear.
    public static let variants = [DeviceVariant("ear", DiscoveryCriteria(appearance: .earThermometer))]
    /// The temperature.
    public let thermometer = StandardService.HealthThermometer()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}

/// A blood pressure monitor (Blood Pressure Profile 1.1).
public struct BloodPressureSensor: DeviceDeclaration {
    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [StandardService.BloodPressure.uuid])
    /// One for the upper arm, and one for the wrist.
    public static let variants = [
        DeviceVariant("arm", DiscoveryCriteria(appearance: .armBloodPressureMonitor)),
        DeviceVariant("wrist", DiscoveryCriteria(appearance: .wristBloodPressureMonitor)),
    ]
    /// The blood pressure.
    public let bloodPressure = StandardService.BloodPressure()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}

/// A weight scale (Weight Scale Profile 1.0).
public struct WeightScaleSensor: DeviceDeclaration {
    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [StandardService.WeightScale.uuid])
    /// The weight.
    public let weightScale = StandardService.WeightScale()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}

/// A glucose meter (Glucose Profile 1.0).
public struct GlucoseSensor: DeviceDeclaration {
    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [StandardService.Glucose.uuid])
    /// Stored glucose measurements.
    public let glucose = StandardService.Glucose()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}

/// A continuous glucose monitor (Continuous Glucose Monitoring Profile 1.0).
public struct ContinuousGlucoseSensor: DeviceDeclaration {
    /// It advertises its service.
    public static let discovery = DiscoveryCriteria(services: [StandardService.ContinuousGlucoseMonitoring.uuid])
    /// The glucose concentration.
    public let glucose = StandardService.ContinuousGlucoseMonitoring()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}
