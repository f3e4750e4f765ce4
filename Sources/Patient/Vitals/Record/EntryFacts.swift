import Base

/// What is known of a measurement beside its value, whoever entered it: a person, a sensor or a file.
///
/// Every output shows each of these facts, or is listed in the tests with the reason why it cannot.
public struct EntryFacts: Codable, Hashable, Sendable {
    /// The time by the clock of the device, with the device's own offset; such clocks are often wrong.
    public var deviceTime: DeviceTime?
    /// The device's number of the measurement.
    public var sequence: Int?
    /// Whether the time of the measurement is known (now, or by a correct clock); only then is it evaluated.
    public var isTimeKnown: Bool
    /// The quality of the value.
    public var quality: Reading.Quality
    /// A remark about the measurement, sanitized and bounded: "irregular pulse".
    public private(set) var remark: String?
    /// The number of the person, on a device for several persons; ``unknownUser`` where the device does not know it, and
    /// `nil` where it has no such numbers.
    public var user: Int?
    /// Whether it came without a time at the beginning of a link, when a sensor hands over what it has stored; it may be
    /// one that it has handed over before.
    public var mayBeStored: Bool

    /// The greatest number of characters (Unicode scalars) of a remark.
    public static let remarkLimit = 80
    /// The numbers of persons.
    public static let users = 0...255
    /// The number of a person that the device does not know (2A35, 2A36, 2A9D).
    public static let unknownUser = 255

    public init(
        deviceTime: DeviceTime? = nil, sequence: Int? = nil, isTimeKnown: Bool = true,
        quality: Reading.Quality = .good, remark: String? = nil, user: Int? = nil, mayBeStored: Bool = false
    ) {
        self.deviceTime = deviceTime
        self.sequence = sequence
        self.isTimeKnown = isTimeKnown
        self.quality = quality
        self.remark = remark.map { sanitized($0, limit: Self.remarkLimit) }.flatMap { $0.isEmpty ? nil : $0 }
        self.user = user
        self.mayBeStored = mayBeStored
    }

    /// The number of the person as text: "user 2", "user unknown"; `nil` where there is none.
    public var userText: String? { user.map { $0 == Self.unknownUser ? "user unknown" : "user \($0)" } }
}
