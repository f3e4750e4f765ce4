import Appearance

/// One character cell of the screen: a printable character of one or two columns with up to two combining marks.
///
/// It is sixteen bytes of plain memory without padding, so that screens are compared and copied as memory. Only
/// ``Grid`` makes cells, so a cell can never hold a control character.
public struct Cell: Hashable, Sendable {
    /// The character.
    public let scalar: Unicode.Scalar
    /// The marks as numbers; 0 for none.
    private var firstMarkValue: UInt32 = 0
    private var secondMarkValue: UInt32 = 0
    /// The look of the character.
    public internal(set) var style: Style
    /// Its columns: 1 or 2, or 0 for the right half of the wide character to the left.
    public let columns: UInt8
    /// Fills the gap, so that every byte of the memory is defined.
    private let rest: UInt8 = 0

    package init(scalar: Unicode.Scalar, columns: UInt8, style: Style) {
        self.scalar = scalar
        self.columns = columns
        self.style = style
    }

    /// The first combining mark over it.
    public internal(set) var firstMark: Unicode.Scalar? {
        get { firstMarkValue == 0 ? nil : Unicode.Scalar(firstMarkValue) }
        set { firstMarkValue = newValue?.value ?? 0 }
    }

    /// The second combining mark over it; further ones are left out.
    public internal(set) var secondMark: Unicode.Scalar? {
        get { secondMarkValue == 0 ? nil : Unicode.Scalar(secondMarkValue) }
        set { secondMarkValue = newValue?.value ?? 0 }
    }

    /// An empty cell.
    public static let blank = Cell(scalar: " ", columns: 1, style: .plain)

    /// The right half of a wide character.
    package static func rightHalf(style: Style) -> Cell {
        Cell(scalar: " ", columns: 0, style: style)
    }
}
