import Base

/// A medication that was given.
public struct Medication: Codable, Hashable, Sendable {
    /// The name, sanitized and bounded.
    public private(set) var name: String
    /// The dose; `nil` if unknown.
    public var dose: Dose?
    /// Whether it lowers a fever, and so may hide one.
    public var isAntipyretic: Bool

    /// An amount with its unit.
    public struct Dose: Codable, Hashable, Sendable {
        /// The amount in thousandths of the unit.
        public var thousandths: Int
        public var unit: Unit

        public init(thousandths: Int, unit: Unit) {
            self.thousandths = thousandths
            self.unit = unit
        }

        /// The amounts that can be entered, in thousandths: up to a million units.
        public static let possible = 1...1_000_000_000
    }

    /// A unit of a dose; the raw value is its name in UCUM notation.
    public enum Unit: String, CaseIterable, Codable, Hashable, Sendable {
        case milligrams = "mg"
        case micrograms = "ug"
        case grams = "g"
        case millilitres = "mL"
        case internationalUnits = "[iU]"
        case drops = "[drp]"
        /// Tablets, or other single pieces.
        case tablets = "{tbl}"
        /// Percent, of an ointment or a solution.
        case percent = "%"
    }

    /// The greatest number of characters (Unicode scalars) of a name.
    public static let nameLimit = 60

    /// Creates a medication; the name is sanitized and truncated.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - dose: The dose.
    ///   - isAntipyretic: Whether it lowers a fever; `nil` to decide by the name.
    public init(_ name: String, dose: Dose? = nil, isAntipyretic: Bool? = nil) {
        self.name = sanitized(name, limit: Self.nameLimit)
        self.dose = dose
        self.isAntipyretic = isAntipyretic ?? Self.isKnownAntipyretic(name)
    }

    /// Whether a name is that of a common antipyretic, generic or a brand.
    public static func isKnownAntipyretic(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter }
        return words.contains { word in antipyretics.contains { word.hasPrefix($0) } }
    }

    /// The prefixes of the names of antipyretics.
    ///
    /// Source: ATC groups N02B (other analgesics and antipyretics) and M01A (anti-inflammatory products).
    private static let antipyretics = [
        "paracetamol", "acetaminophen", "tylenol", "panadol", "perfalgan", "ibuprofen", "nurofen", "advil", "metamizol",
        "novamin", "novalgin", "dipyron", "aspirin", "acetylsalicyl", "naproxen", "diclofenac", "voltaren",
        "indometacin", "indomethacin", "ketoprofen", "ketorolac", "celecoxib", "etoricoxib", "parecoxib",
        "propacetamol",
        "phenazon", "propyphenazon",
    ]
}
