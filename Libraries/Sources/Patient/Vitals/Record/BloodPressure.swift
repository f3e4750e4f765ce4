/// A blood pressure in whole millimetres of mercury.
public struct BloodPressure: Codable, Hashable, Sendable {
    /// The pressure while the heart contracts.
    public var systolic: Int
    /// The diastolic pressure; lower than the systolic one.
    public var diastolic: Int
    /// The mean arterial pressure, if the device reports it.
    public var mean: Int?
    /// The pulse rate in beats a minute, if it was measured, too.
    public var pulse: Int?

    public init(systolic: Int, diastolic: Int, mean: Int? = nil, pulse: Int? = nil) {
        self.systolic = systolic
        self.diastolic = diastolic
        self.mean = mean
        self.pulse = pulse
    }

    /// The printed numbers: "120/80", "120/80/93".
    public var digits: String {
        "\(systolic)/\(diastolic)" + (mean.map { "/\($0)" } ?? "")
    }
}

extension BloodPressure {
    /// Whether a body can have these pressures.
    public static func isPossible(_ systolic: Int, _ diastolic: Int) -> Bool {
        systolics.contains(systolic) && diastolics.contains(diastolic) && diastolic < systolic
    }

    /// The pressures that a body can have, in mmHg.
    static let systolics = 30...300
    static let diastolics = 10...250
}
