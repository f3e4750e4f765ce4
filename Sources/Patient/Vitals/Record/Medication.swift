import Base

/// A medication that was given.
public struct Medication: Codable, Hashable, Sendable {
    /// What was given, sanitized and bounded.
    public private(set) var name: String
    /// How much; `nil` when nobody said so.
    public var dose: Dose?
    /// Whether it lowers a fever, and so may hide one.
    public var isAntipyretic: Bool

    /// An amount with its unit.
    public struct Dose: Codable, Hashable, Sendable {
        /// In thousandths of the unit.
        public var thousandths: Int
        /// The unit.
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
        /// Milligrams.
        case milligrams = "mg"
        /// Micrograms.
        case micrograms = "ug"
        /// Grams.
        case grams = "g"
        /// Millilitres.
        case millilitres = "mL"
        /// International units.
        case internationalUnits = "[iU]"
        /// Drops.
        case drops = "[drp]"
        /// Tablets, or other single pieces.
        case tablets = "{tbl}"
        /// Percent, of an ointment or a solution.
        case percent = "%"
    }

    /// The greatest number of characters (Unicode scalars) of a name.
    public static let nameLimit = 60

    /// Creates a medication; the name is sanitized and cut.
    ///
    /// - Parameters:
    ///   - name: What was given.
    ///   - dose: How much.
    ///   - isAntipyretic: Whether it lowers a fever; `nil` decides by the name.
    public init(_ name: String, dose: Dose? = nil, isAntipyretic: Bool? = nil) {
        self.name = sanitized(name, limit: Self.nameLimit)
        self.dose = dose
        self.isAntipyretic = isAntipyretic ?? Self.isKnownAntipyretic(name)
    }

    /// Whether a name is that of a common antipyretic, generic or of a brand.
    public static func isKnownAntipyretic(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter }
        return words.contains { word in antipyretics.contains { word.hasPrefix($0) } }
    }

    /// The beginnings of the names of antipyretics.
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
