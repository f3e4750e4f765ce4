/// What a device looks like, by its own account: a category, and within it a subcategory.
///
/// It is what the Appearance characteristic (2A01) and advertisements hold: ten bits of a category above six bits of a
/// subcategory, of which 0 stands for the category in general. A device may claim anything, or send none, so it helps a
/// person to tell devices apart and proves nothing. Numbers without a name here are kept.
///
/// Source: Bluetooth SIG, Assigned Numbers, 2.6 (Appearance Values).
public struct BluetoothAppearance: RawRepresentable, Hashable, Sendable {
    /// The number on the air, 0 to 65535.
    public let rawValue: UInt16

    /// Creates an appearance; every number is one.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Creates an appearance from its parts; bits beyond ten of the category and six of the subcategory are dropped.
    ///
    /// - Parameters:
    ///   - category: The number of the category, 0 to 1023, such as 14 for blood pressure monitors.
    ///   - subcategory: The number within it, 0 to 63; 0 for the category in general.
    public init(category: UInt16, subcategory: UInt8 = 0) {
        self.init(rawValue: category << 6 | UInt16(subcategory & 0x3F))
    }

    /// The number of the category, 0 to 1023.
    public var category: UInt16 { rawValue >> 6 }

    /// The number within the category, 0 to 63; 0 for the category in general.
    public var subcategory: UInt8 { UInt8(rawValue & 0x3F) }

    /// The name, of the category where the subcategory has none; `nil` for neither.
    public var name: String? { Self.names[rawValue] ?? categoryName }

    /// The name of the category; `nil` for one without a name here.
    public var categoryName: String? { Self.names[rawValue & 0xFFC0] }

    /// Whether this is another appearance, or one of the category that the other one stands for.
    ///
    /// An arm blood pressure monitor is a kind of blood pressure monitor, and no kind of wrist blood pressure monitor.
    ///
    /// - Parameter other: An appearance, or a category in general.
    public func isKind(of other: BluetoothAppearance) -> Bool {
        self == other || other.subcategory == 0 && category == other.category
    }
}

extension BluetoothAppearance: ExpressibleByIntegerLiteral {
    /// Creates an appearance that is written in a program, such as `0x0341`.
    public init(integerLiteral number: UInt16) {
        self.init(rawValue: number)
    }
}

extension BluetoothAppearance: CustomStringConvertible {
    /// The number in hexadecimal and the name, if it has one: `0x0341 heart rate belt`.
    public var description: String {
        let number = "0x" + Hexadecimal.text(UInt64(rawValue), digits: 4)
        return name.map { "\(number) \($0)" } ?? number
    }
}

extension BluetoothAppearance {
    /// A thermometer.
    public static let thermometer: Self = 0x0300
    /// An ear thermometer.
    public static let earThermometer: Self = 0x0301
    /// A heart rate sensor.
    public static let heartRateSensor: Self = 0x0340
    /// A heart rate sensor on a belt.
    public static let heartRateBelt: Self = 0x0341
    /// A blood pressure monitor.
    public static let bloodPressureMonitor: Self = 0x0380
    /// A blood pressure monitor for the upper arm.
    public static let armBloodPressureMonitor: Self = 0x0381
    /// A blood pressure monitor for the wrist.
    public static let wristBloodPressureMonitor: Self = 0x0382
    /// A glucose meter.
    public static let glucoseMeter: Self = 0x0400
    /// A pulse oximeter.
    public static let pulseOximeter: Self = 0x0C40
    /// A pulse oximeter for a fingertip.
    public static let fingertipPulseOximeter: Self = 0x0C41
    /// A pulse oximeter that is worn on the wrist.
    public static let wristPulseOximeter: Self = 0x0C42
    /// A weight scale.
    public static let weightScale: Self = 0x0C80
    /// A continuous glucose monitor.
    public static let continuousGlucoseMonitor: Self = 0x0D00
    /// An insulin pump.
    public static let insulinPump: Self = 0x0D40
    /// A device that delivers medication.
    public static let medicationDelivery: Self = 0x0D80
    /// A spirometer.
    public static let spirometer: Self = 0x0DC0

    /// Those of health devices, and of what else is met around them.
    private static let names: [UInt16: String] = [
        0x0040: "phone", 0x0080: "computer", 0x00C0: "watch", 0x00C1: "sports watch", 0x00C2: "smartwatch",
        0x0100: "clock", 0x0140: "display", 0x0300: "thermometer", 0x0301: "ear thermometer",
        0x0340: "heart rate sensor", 0x0341: "heart rate belt", 0x0380: "blood pressure monitor",
        0x0381: "arm blood pressure monitor", 0x0382: "wrist blood pressure monitor", 0x0400: "glucose meter",
        0x0440: "running walking sensor", 0x0441: "in-shoe running walking sensor",
        0x0442: "on-shoe running walking sensor", 0x0443: "on-hip running walking sensor",
        0x0C40: "pulse oximeter", 0x0C41: "fingertip pulse oximeter", 0x0C42: "wrist-worn pulse oximeter",
        0x0C80: "weight scale", 0x0CC0: "personal mobility device", 0x0CC1: "powered wheelchair",
        0x0CC2: "mobility scooter", 0x0D00: "continuous glucose monitor", 0x0D40: "insulin pump",
        0x0D41: "durable insulin pump", 0x0D44: "patch insulin pump", 0x0D48: "insulin pen",
        0x0D80: "medication delivery", 0x0DC0: "spirometer", 0x0DC1: "handheld spirometer",
    ]
}
