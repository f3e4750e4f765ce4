/// The meaning of a bit of a sensor's status word for the value on the screen.
public struct ClinicalReading: Hashable, Sendable {
    /// How far the value may be used.
    public var usability: Usability
    /// The reason.
    public var cause: Cause

    public init(_ usability: Usability, _ cause: Cause) {
        self.usability = usability
        self.cause = cause
    }

    /// How far a value may be used, from the best to the worst.
    public enum Usability: Int, CaseIterable, Hashable, Sendable, Comparable {
        /// The value may be shown and evaluated.
        case usable
        /// The value may be shown, marked as doubtful.
        case questionable
        /// There is no value, or it is not a present value of this patient.
        case unusable

        /// Orders from the best to the worst.
        public static func < (lhs: Usability, rhs: Usability) -> Bool {
            lhs.rawValue < rhs.rawValue
        }
    }

    /// Why a value may or may not be used.
    public enum Cause: CaseIterable, Hashable, Sendable {
        /// Nothing is wrong; the bit only informs.
        case information
        /// The value is a first estimate.
        case estimate
        /// The signal is poor, or there is none.
        case signal
        /// The sensor is off the body, or badly attached.
        case offBody
        /// The sensor is still looking for a signal.
        case searching
        /// Too little blood flow, or no pulse, at the site.
        case lowPerfusion
        /// The equipment has a fault or is connected wrongly.
        case equipmentFault
        /// The value is outside the range of the sensor.
        case outOfRange
        /// The value is for demonstration.
        case demo
        /// The value is for testing.
        case test
        /// The sensor is calibrating.
        case calibrating
        /// The value comes from the sensor's memory and is not a present one.
        case stored
    }
}

/// The name of a bit of a status word, and its meaning for the value.
public struct StatusBit: Hashable, Sendable {
    /// The bit, counted from the least significant.
    public let bit: Int
    /// The Bluetooth SIG's name for it.
    public let name: String
    /// What it means for the value.
    public let reading: ClinicalReading
    /// The other bit of a two-bit number; if both are set, the number is reserved and neither bit has its meaning.
    public let alternative: Int?

    init(
        _ bit: Int, _ name: String, _ usability: ClinicalReading.Usability, _ cause: ClinicalReading.Cause,
        alternative: Int? = nil
    ) {
        self.bit = bit
        self.name = name
        self.alternative = alternative
        reading = ClinicalReading(usability, cause)
    }

    func isSet(in word: some FixedWidthInteger) -> Bool {
        word & (1 << bit) != 0 && alternative.map { word & (1 << $0) == 0 } ?? true
    }
}

/// A status word whose bits have a clinical reading, from one table that documentation and screen both use.
public protocol ClinicalStatusWord: StatusWord {
    /// The assigned bits and their meanings for the value.
    static var table: [StatusBit] { get }
}

extension ClinicalStatusWord {
    /// The assigned bits with their names.
    public static var bits: [(bit: Int, name: String)] {
        table.map { ($0.bit, $0.name) }
    }

    /// The assigned bits that are set and their readings, in the order of the bits.
    public var readings: [StatusBit] {
        Self.table.filter { $0.isSet(in: rawValue) }
    }

    /// The bits of the table with this usability, all of them or those with this cause.
    public static func bits(_ usability: ClinicalReading.Usability, _ cause: ClinicalReading.Cause? = nil) -> Self {
        let chosen = table.filter {
            $0.reading.usability == usability && (cause ?? $0.reading.cause) == $0.reading.cause
        }
        return Self(rawValue: chosen.reduce(0) { $0 | 1 << $1.bit })
    }

    /// The names of the bits that are set, in order, without unassigned ones.
    public var names: [String] {
        readings.map(\.name)
    }

    /// The names of the bits that are set, separated by commas.
    public var description: String {
        FlagText.describe(rawValue, readings.map { ($0.bit, $0.name) })
    }

    /// ``description``, with the meaning of each harmful bit for the value.
    @usableFromInline
    var explanation: String {
        FlagText.describe(
            rawValue,
            readings.map { bit in
                let usability = bit.reading.usability
                return (bit.bit, usability == .usable ? bit.name : "\(bit.name) (\(usability))")
            })
    }

    /// How far the value may be used, by the worst bit that is set.
    public var usability: ClinicalReading.Usability {
        readings.map(\.reading.usability).max() ?? .usable
    }

    /// Whether a bit with this cause is set.
    public func hasCause(_ cause: ClinicalReading.Cause) -> Bool {
        readings.contains { $0.reading.cause == cause }
    }
}

/// A word of independent bits; unassigned bits are kept.
public protocol StatusWord: OptionSet, Hashable, Sendable, CustomStringConvertible
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable, Element == Self {
    /// The assigned bits, counted from the least significant, with their names.
    static var bits: [(bit: Int, name: String)] { get }
}

extension StatusWord {
    /// The names of the bits that are set, in order, without unassigned ones.
    public var names: [String] {
        Self.bits.filter { rawValue & (1 << $0.bit) != 0 }.map(\.name)
    }

    /// The names of the bits that are set, separated by commas.
    public var description: String {
        FlagText.describe(rawValue, Self.bits)
    }
}

/// Describes the bits of flags and status words, to show them to users.
@usableFromInline
enum FlagText {
    /// The names of the bits that are set, and of some that are not; other set bits are called reserved.
    ///
    /// - Parameters:
    ///   - flags: The word.
    ///   - names: The meaning of a set bit.
    ///   - otherwise: The meaning of an unset bit, where that is worth mentioning.
    @usableFromInline
    static func describe(
        _ flags: some FixedWidthInteger & UnsignedInteger, _ names: [(bit: Int, name: String)],
        otherwise: [(bit: Int, name: String)] = []
    ) -> String {
        var words: [String] = []
        for bit in 0..<flags.bitWidth {
            if flags & (1 << bit) != 0 {
                words.append(names.first { $0.bit == bit }?.name ?? "reserved bit \(bit)")
            } else if let name = otherwise.first(where: { $0.bit == bit })?.name {
                words.append(name)
            }
        }
        return words.isEmpty ? "none set" : words.joined(separator: ", ")
    }
}
