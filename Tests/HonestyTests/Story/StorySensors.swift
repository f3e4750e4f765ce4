import Vitals

/// The sensors of the stories: two of one name, two that measure the same vital, and one whose name says what its values
/// do not.
enum StorySensors {
    static let strap = SensorIdentity(address: "C0:52:49:00:00:01", name: "Polar H10", kind: .heartRateStrap)
    static let namesake = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)
    static let oximeter = SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter)
    static let core = SensorIdentity(address: "C0:52:49:00:00:04", name: "CORE 1A2B", kind: .core)
    static let thermometer = SensorIdentity(address: "C0:52:49:00:00:05", name: "COREtemp", kind: .thermometer)

    static let all = [strap, namesake, oximeter, core, thermometer]

    /// What a sensor measures.
    static func vitals(of sensor: SensorIdentity) -> [Vital] {
        switch sensor.kind {
        case .heartRateStrap: [.heartRate]
        case .oximeter: [.oxygenSaturation, .pulseRate, .perfusionIndex]
        case .core: [.bodyTemperature, .skinTemperature]
        default: [.bodyTemperature]
        }
    }
}
