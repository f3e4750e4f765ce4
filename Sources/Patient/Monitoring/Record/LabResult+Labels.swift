import Vitals

extension LabAnalyte {
    /// Its printed unit.
    public var unitText: String {
        switch dimension {
        case .cells: self == .neutrophilCount ? "/µL" : "× 10⁹/L"
        case .mass: "g/dL"
        case .share: "%"
        }
    }

    /// A value as text, without its unit.
    public func text(of value: VitalValue) -> String {
        switch self {
        case .neutrophilCount: "\(value.hundredths / 100)"
        // 10⁹/L are thousands per µL, and values are hundredths of those.
        case .whiteCells, .platelets: decimalText(value.hundredths, decimals: 5)
        case .haemoglobin, .neutrophils, .lymphocytes, .monocytes, .eosinophils, .basophils, .blasts:
            decimalText(value.hundredths, decimals: 2)
        }
    }
}

extension LabResult {
    /// The neutrophil count first, because it matters most and is not cut off, and the values with their units: "ANC
    /// 420/µL (severe neutropenia), white cells 1.2 × 10⁹/L, neutrophils 35 %".
    public var text: String {
        let reported = values.map { "\($0.analyte.text) \($0.analyte.text(of: $0.value)) \($0.analyte.unitText)" }
        let isKnown = neutrophilsPerMicrolitre != nil
        return (isKnown ? [neutrophilText] + reported : reported + [neutrophilText]).joined(separator: ", ")
    }

    /// The neutrophil count with its grade, or the missing values that prevent it.
    public var neutrophilText: String {
        switch neutrophilSource {
        case .counted(let count), .computed(let count):
            "ANC \(count)/µL (\(NeutropeniaGrade(perMicrolitre: count).text))"
        case .missing(let missing):
            "ANC unknown without \(missing.map(\.text).joined(separator: " and "))"
        }
    }
}

/// A whole number of parts as a decimal number without redundant decimals: 120 of 100 parts are "1.2".
func decimalText(_ parts: Int, decimals: Int) -> String {
    let unit = (0..<decimals).reduce(1) { power, _ in power * 10 }
    let (whole, fraction) = parts.magnitude.quotientAndRemainder(dividingBy: UInt(unit))
    var digits = String(fraction)
    digits = String(repeating: "0", count: max(0, decimals - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(parts < 0 ? "-" : "")\(whole)" + (fraction == 0 ? "" : ".\(digits)")
}
