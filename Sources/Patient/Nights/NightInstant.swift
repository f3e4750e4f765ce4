/// One instant of a night: what was measured, or why it cannot be used.
///
/// It takes six octets, because a night at one a second has tens of thousands.
public struct NightInstant: Hashable, Sendable {
    private var saturationOctet: UInt8
    private var pulseWord: UInt16
    private var movementOctet: UInt8
    /// Why the saturation cannot be used; `nil` if it can.
    public var exclusion: NightExclusion?
    /// Where it comes from.
    public var origin: NightOrigin

    /// An instant of which nothing was recorded.
    static let gap = NightInstant(saturation: nil, exclusion: .gap, origin: .nowhere)

    init(
        saturation: UInt8?, pulseRate: UInt16? = nil, movement: UInt8? = nil, exclusion: NightExclusion?,
        origin: NightOrigin
    ) {
        saturationOctet = saturation ?? 0
        pulseWord = pulseRate ?? 0
        movementOctet = movement ?? .max
        (self.exclusion, self.origin) = (exclusion, origin)
    }

    /// The saturation in percent, also one that cannot be used; `nil` for no measurement.
    public var saturation: UInt8? { saturationOctet == 0 ? nil : saturationOctet }
    /// The pulse rate in beats a minute; `nil` for no measurement.
    public var pulseRate: UInt16? {
        get { pulseWord == 0 ? nil : pulseWord }
        set { pulseWord = newValue ?? 0 }
    }
    /// How much the sensor was moved, in the maker's own steps; `nil` where that is not known.
    public var movement: UInt8? { movementOctet == .max ? nil : movementOctet }
    /// Whether saturation and pulse can be used.
    public var isUsable: Bool { exclusion == nil && saturationOctet != 0 }
    /// The usable saturation in percent; 0 for none.
    var usableSaturation: UInt8 { exclusion == nil ? saturationOctet : 0 }
}

/// Why an instant of a night is left out of every figure.
public enum NightExclusion: UInt8, CaseIterable, Hashable, Sendable {
    /// Nothing was recorded.
    case gap
    /// The oximeter was there and had no value.
    case noMeasurement
    /// The oximeter said that it was off the body.
    case offBody
    /// The oximeter was moved too much: by ``NightCourse/movementLimit`` or more.
    case movement
    /// The oximeter said that it sees too little of the pulse, or its perfusion index was below that limit.
    case weakPulse
    /// The oximeter itself called the value questionable, or reported a malfunction with it.
    case doubtful
}

/// Where an instant of a night comes from; of two, the one with the greater number is taken.
public enum NightOrigin: UInt8, Hashable, Sendable, Comparable {
    case nowhere
    /// Readings recorded while they came.
    case live
    /// A file that was imported.
    case imported
    /// The file of the oximeter.
    case stored

    public static func < (one: NightOrigin, other: NightOrigin) -> Bool { one.rawValue < other.rawValue }
}
