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
