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
