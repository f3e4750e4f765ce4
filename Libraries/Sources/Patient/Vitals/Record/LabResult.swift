import Base

/// The blood count of one sample; a laboratory may report only some of the values.
public struct LabResult: Codable, Hashable, Sendable {
    /// The values in the order of ``LabAnalyte/allCases``, each analyte at most once.
    public private(set) var values: [Value] = []

    /// The value of one analyte.
    public struct Value: Codable, Hashable, Sendable {
        /// The measured analyte.
        public var analyte: LabAnalyte
        /// The value in hundredths of the unit of the analyte.
        public var value: VitalValue

        public init(_ analyte: LabAnalyte, _ value: VitalValue) {
            self.analyte = analyte
            self.value = value
        }
    }

    public init(_ values: [Value] = []) {
        for value in values { self[value.analyte] = value.value }
    }

    /// The value of an analyte; `nil` if it is missing.
    public subscript(analyte: LabAnalyte) -> VitalValue? {
        get { values.first { $0.analyte == analyte }?.value }
        set {
            values.removeAll { $0.analyte == analyte }
            guard let newValue else { return }
            let order = LabAnalyte.allCases
            let rank = order.firstIndex(of: analyte) ?? 0
            let place = values.firstIndex { (order.firstIndex(of: $0.analyte) ?? 0) > rank } ?? values.count
            values.insert(Value(analyte, newValue), at: place)
        }
    }

    /// The missing analytes.
    public var missing: [LabAnalyte] { LabAnalyte.allCases.filter { self[$0] == nil } }

    /// The sum of the reported shares, in hundredths of a percent.
    public var sumOfShares: Int {
        values.reduce(0) { $1.analyte.dimension == .share ? $0.addingSaturated($1.value.hundredths) : $0 }
    }

    /// The greatest sum of shares: six rounded ones may exceed 100 % by half a percent each.
    public static let greatestSumOfShares = 10_300

    /// Whether blood can have these values: each is possible, and the shares are parts of a whole.
    public var isPossible: Bool {
        !values.isEmpty && values.map(\.analyte) == LabAnalyte.allCases.filter { self[$0] != nil }
            && values.allSatisfy { $0.analyte.possible.contains($0.value.hundredths) }
            && sumOfShares <= Self.greatestSumOfShares
    }

    /// The source of this sample's absolute neutrophil count (ANC).
    public enum NeutrophilSource: Hashable, Sendable {
        /// The laboratory has counted them.
        case counted(perMicrolitre: Int)
        /// Computed from their share of the white cells.
        case computed(perMicrolitre: Int)
        /// It cannot be computed, because these are missing.
        case missing([LabAnalyte])
    }

    /// The absolute neutrophil count and its source.
    ///
    /// A computed count is rounded down, so that rounding never makes a neutropenia milder.
    public var neutrophilSource: NeutrophilSource {
        if let counted = self[.neutrophilCount] { return .counted(perMicrolitre: counted.hundredths / 100) }
        guard let cells = self[.whiteCells], let share = self[.neutrophils] else {
            return .missing([.whiteCells, .neutrophils].filter { self[$0] == nil })
        }
        return .computed(perMicrolitre: cells.hundredths.multipliedSaturated(by: share.hundredths) / 1_000_000)
    }

    /// The absolute neutrophil count (ANC) per µL; `nil` if it cannot be computed.
    public var neutrophilsPerMicrolitre: Int? {
        switch neutrophilSource {
        case .counted(let count), .computed(let count): min(count, NeutrophilCount.greatest)
        case .missing: nil
        }
    }

    /// How the neutrophil count was found, in a sentence without a full stop, and what was left out of the blood count.
    public var neutrophilExplanation: String {
        let source =
            switch neutrophilSource {
            case .counted: "counted by the laboratory"
            case .computed: "neutrophils × white cells, rounded down"
            case .missing(let missing):
                "not computed without \(missing.map(\.text).joined(separator: " and "))"
            }
        let left = missing.filter { $0 != .neutrophilCount }.map(\.text)
        return left.isEmpty ? source : "\(source); left out: \(left.joined(separator: ", "))"
    }
}

/// A quantity of a blood count; the raw value is its name in the store, in exports and on the command line.
public enum LabAnalyte: String, CaseIterable, Codable, Hashable, Sendable {
    /// White cells per µL.
    case whiteCells = "white_cells"
    /// Haemoglobin in g/dL.
    case haemoglobin
    /// Platelets per µL.
    case platelets
    /// Neutrophils in percent of the white cells.
    case neutrophils
    /// Lymphocytes in percent of the white cells.
    case lymphocytes
    /// Monocytes in percent of the white cells.
    case monocytes
    /// Eosinophils in percent of the white cells.
    case eosinophils
    /// Basophils in percent of the white cells.
    case basophils
    /// Blasts in percent of the white cells.
    case blasts
    /// Neutrophils per µL, counted by the laboratory.
    case neutrophilCount = "neutrophil_count"

    /// The dimension of its value.
    public enum Dimension: Hashable, Sendable {
        /// Cells per µL.
        case cells
        /// A mass concentration in g/dL.
        case mass
        /// A part of the white cells, in percent.
        case share
    }

    /// The dimension of its values.
    public var dimension: Dimension {
        switch self {
        case .whiteCells, .platelets, .neutrophilCount: .cells
        case .haemoglobin: .mass
        case .neutrophils, .lymphocytes, .monocytes, .eosinophils, .basophils, .blasts: .share
        }
    }

    /// The kinds of white cells of the differential.
    public static let shares = allCases.filter { $0.dimension == .share }

    /// The unit of its values in UCUM notation.
    public var unit: String {
        switch dimension {
        case .cells: "/uL"
        case .mass: "g/dL"
        case .share: "%"
        }
    }

    /// The possible values of blood, in hundredths of the unit.
    ///
    /// White cells reach some 500 × 10⁹/L in leukaemia, platelets some 4000 × 10⁹/L in thrombocythaemia.
    public var possible: ClosedRange<Int> {
        switch self {
        case .whiteCells: 0...100_000_000
        case .platelets: 0...500_000_000
        case .neutrophilCount: 0...NeutrophilCount.greatest * 100
        case .haemoglobin: 100...2_500
        case .neutrophils, .lymphocytes, .monocytes, .eosinophils, .basophils, .blasts: 0...10_000
        }
    }

    /// Whether a value is usual, in hundredths of the unit; zero cells are usual, too.
    public func isUsual(_ hundredths: Int) -> Bool { hundredths == 0 || usual.contains(hundredths) }

    /// The usual values, in hundredths of the unit; others are confirmed by the user.
    ///
    /// Fewer than 10 white cells or 1000 platelets per µL are usually a count with a misread separator.
    var usual: ClosedRange<Int> {
        switch self {
        case .whiteCells: 1_000...5_000_000
        case .platelets: 100_000...100_000_000
        case .neutrophilCount: 0...4_000_000
        case .haemoglobin: 600...2_000
        case .neutrophils, .lymphocytes, .monocytes, .blasts: 0...10_000
        case .eosinophils: 0...5_000
        case .basophils: 0...1_500
        }
    }

    /// Its name in plain text: "white cells".
    public var text: String {
        switch self {
        case .whiteCells: "white cells"
        case .neutrophilCount: "neutrophil count"
        default: rawValue
        }
    }

    /// Its name as a quantity in tables; a share is not mistaken for a count.
    public var quantityName: String { dimension == .share ? "\(rawValue)_percent" : rawValue }

    /// The name of a neutrophil count that is computed from other values, as a quantity in tables.
    public static let computedCountName = "neutrophil_count_computed"

    /// Its LOINC code.
    public var code: EntryField.Code {
        switch self {
        case .whiteCells: .init("26464-8", "Leukocytes [#/volume] in Blood", or: ["6690-2"])
        case .haemoglobin: .init("718-7", "Hemoglobin [Mass/volume] in Blood", or: ["59260-0"])
        case .platelets: .init("26515-7", "Platelets [#/volume] in Blood", or: ["777-3"])
        case .neutrophils: .init("26511-6", "Neutrophils/100 leukocytes in Blood", or: ["770-8"])
        case .lymphocytes: .init("26478-8", "Lymphocytes/100 leukocytes in Blood", or: ["736-9"])
        case .monocytes: .init("26485-3", "Monocytes/100 leukocytes in Blood", or: ["5905-5"])
        case .eosinophils: .init("26450-7", "Eosinophils/100 leukocytes in Blood", or: ["713-8"])
        case .basophils: .init("30180-4", "Basophils/100 leukocytes in Blood", or: ["706-2"])
        case .blasts: .init("26446-5", "Blasts/100 leukocytes in Blood", or: ["709-6"])
        case .neutrophilCount: RecordEntry.Kind.countCode
        }
    }
}

/// The absolute neutrophil count (ANC) of a blood sample, as entered by a user.
public struct NeutrophilCount: Codable, Hashable, Sendable {
    /// Neutrophils in one microlitre of blood, 0 to 100 000; 0.5 × 10⁹/L are 500.
    public var perMicrolitre: Int
    /// When the blood was taken, in milliseconds since 1970-01-01T00:00:00Z.
    public var sampledAt: Int64
    /// The person who entered it, sanitized and bounded; empty if unknown.
    public var enteredBy: String

    /// The greatest possible count, reached only in leukaemia.
    public static let greatest = 100_000
    /// The greatest number of characters (Unicode scalars) of a name.
    public static let nameLimit = 32
    /// How long a count is valid, in milliseconds: seven days.
    public static let validity: Int64 = 7 * 86_400_000
    /// How far in the future a sample may seem to be, in milliseconds: a day, because clocks and time zones differ.
    public static let tolerance: Int64 = 86_400_000

    /// Creates a count; the name is sanitized.
    public init(perMicrolitre: Int, sampledAt: Int64, enteredBy: String = "") {
        self.perMicrolitre = perMicrolitre
        self.sampledAt = sampledAt
        self.enteredBy = sanitized(enteredBy, limit: Self.nameLimit)
    }

    /// Whether it counts at a moment: not older than seven days, and not in the future.
    public func isValid(at moment: Moment) -> Bool {
        let age = moment.wallMilliseconds.subtractingSaturated(sampledAt)
        return (-Self.tolerance...Self.validity).contains(age)
    }

    /// The last moment, in milliseconds since 1970-01-01T00:00:00Z, at which it counts.
    public var validUntil: Int64 { sampledAt.addingSaturated(Self.validity) }
}
