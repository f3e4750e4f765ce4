/// One character cell of the screen: a printable character of one or two columns with up to two combining marks.
///
/// It is plain memory of a fixed size, so that comparing two screens costs next to nothing. Only ``Grid`` makes
/// cells, so a cell can never hold a control character.
public struct Cell: Hashable, Sendable {
    /// The character.
    public let scalar: Unicode.Scalar
    /// The first combining mark over it.
    public internal(set) var firstMark: Unicode.Scalar?
    /// The second combining mark over it; further ones are left out.
    public internal(set) var secondMark: Unicode.Scalar?
    /// How it looks.
    public internal(set) var style: Style
    /// Its columns: 1 or 2, or 0 for the right half of the wide character to the left.
    public let columns: UInt8

    init(scalar: Unicode.Scalar, columns: UInt8, style: Style) {
        self.scalar = scalar
        self.columns = columns
        self.style = style
    }

    /// An empty cell.
    public static let blank = Cell(scalar: " ", columns: 1, style: .plain)

    /// The right half of a wide character.
    static func rightHalf(style: Style) -> Cell {
        Cell(scalar: " ", columns: 0, style: style)
    }
}
