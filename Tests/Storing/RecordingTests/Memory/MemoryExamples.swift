import Monitoring
import Vitals
import Waves

@testable import Recording

extension RememberedSensor {
    static let strap = RememberedSensor(
        address: "C0:52:49:00:00:02", name: "Polar H10 1234", kind: .heartRateStrap, label: "Ada \"Bed 3\" 心",
        isWanted: true)
    static let oximeter = RememberedSensor(
        address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter, isWanted: false,
        assignedVitals: [.pulseRate, .oxygenSaturation])
    static let undecided = RememberedSensor(
        address: "C0:52:49:00:00:01", name: "CORE [1A]", kind: .core, label: "-", isWanted: nil)
}

extension MonitorMemory {
    /// Every kind of rule, and a count.
    static let everyRule = MonitorMemory(
        limits: [
            .init(vital: .heartRate, setting: .limit(.high, AlarmLimit(VitalValue(whole: 130), .high))),
            .init(
                vital: .oxygenSaturation,
                setting: .limit(.low, AlarmLimit(nil, .medium, delay: .milliseconds(1500)))),
            .init(
                vital: .bodyTemperature,
                setting: .rise(ChangeLimit(VitalValue(hundredths: 55), within: .seconds(600), .low))),
            .init(vital: .pulseRate, setting: .fall(ChangeLimit(nil, within: .seconds(60), .medium))),
            .init(vital: .heartRate, setting: .flatLine(nil)),
            .init(vital: .pulseRate, setting: .flatLine(.seconds(90))),
        ],
        neutrophils: NeutrophilCount(perMicrolitre: 450, sampledAt: 1_772_200_200_000, enteredBy: "Ada \"心\""))
}

extension OwnedLink {
    static let strap = OwnedLink(address: "C0:52:49:00:00:02", bus: "0123456789abcdef", daemon: ":1.3", client: ":1.7")
    static let core = OwnedLink(address: "C0:52:49:00:00:01", bus: "0123456789abcdef", daemon: ":1.3", client: ":1.7")
}

extension RunningWave {
    static let ecg = RunningWave(address: "C0:52:49:00:00:02", kind: .electrocardiogram)
    static let acceleration = RunningWave(address: "C0:52:49:00:00:02", kind: .acceleration)
}
