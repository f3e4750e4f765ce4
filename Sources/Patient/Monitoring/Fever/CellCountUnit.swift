/// The units that laboratories use for blood cell counts.
public enum CellCountUnit: Hashable, Sendable {
    /// Per µL, equal to per mm³.
    case perMicrolitre
    /// 10⁹/L, equal to 10³/µL.
    case billionsPerLitre
    /// No unit.
    case missing
    /// Another unit.
    case unknown

    /// Finds the unit that a text names, in any notation.
    public init(_ text: Substring) {
        // "× 10⁹ / L", "x10^9/l", "10*9/L" and "10E9/L" are equal once spaces and operators are removed.
        var word = ""
        for character in text.lowercased() where !" ^*×x·".contains(character) {
            switch character {
            case "⁹": word += "9"
            case "³": word += "3"
            case "µ", "μ": word += "u"
            default: word.append(character)
            }
        }
        switch word {
        case "": self = .missing
        case "/ul", "/mm3", "/mcl", "cells/ul", "cells/mm3", "cells/mcl": self = .perMicrolitre
        case "109/l", "10e9/l", "e9/l", "g/l", "gpt/l", "/nl", "103/ul", "10e3/ul", "103/mm3", "10e3/mm3", "k/ul":
            self = .billionsPerLitre
        default: self = .unknown
        }
    }
}
