import Base
import TextGrid

/// The field of a large number at the right of its strip: the number, its limits beside it, and its facts below it.
///
/// All vitals of a screen share one, so that their strips are aligned.
struct NumberField: Hashable {
    /// The size of the digits.
    let digits: BigDigits
    /// The columns of the field, with a blank one at each side; 0 without one.
    let columns: Int
    /// The columns of the widest usual number.
    let digitColumns: Int
    /// Whether the limits are beside the digits rather than in the title.
    let hasLimits: Bool
    /// Whether a row for the number's source and age is below the digits.
    let hasFacts: Bool

    /// The columns of a limit, and of the gap before it.
    static let limitColumns = (gap: 2, text: 5)
    /// The rows from which on one is kept for the facts.
    private static let rowsWithFacts = 8
    /// The least width of a panel with limits beside its number.
    private static let roomyColumns = 100

    /// Divides a field.
    ///
    /// - Parameters:
    ///   - widest: The widest usual number.
    ///   - columns: The columns of strip and field together.
    ///   - rows: Their rows below the title.
    init(_ widest: String, columns: Int, rows: Int, glyphs: GlyphSet) {
        let isRoomy = columns >= Self.roomyColumns
        let most = isRoomy ? columns * 2 / 5 + 2 : columns / 2
        let limits = Self.limitColumns.gap + Self.limitColumns.text
        let digitRows = rows >= Self.rowsWithFacts ? rows - 1 : rows
        func size(columns: Int) -> BigDigits {
            BigDigits.fitting(rows: digitRows, glyphs: glyphs) { size in
                // Wider digits of the same height are no easier to read, and take columns of the strip.
                size.columns(of: widest) <= columns && size.columns(of: "0") * 5 <= size.rows * 6 + 6
            }
        }
        let alone = size(columns: most - 2)
        let beside = size(columns: most - 2 - limits)
        // Limits have a place in the title, too, so the number must not become smaller for them.
        hasLimits = isRoomy && beside.rows >= 3 && beside.measure >= alone.measure
        digits = hasLimits ? beside : alone
        digitColumns = digits.columns(of: widest)
        hasFacts = rows > digits.rows
        let least = isRoomy ? 36 : columns >= 60 ? 28 : 0
        self.columns = max(min(least, most), digitColumns + 2 + (hasLimits ? limits : 0))
    }

    /// A field of digits above a graph: as wide as both.
    init(above digits: BigDigits, _ widest: String) {
        self.digits = digits
        digitColumns = digits.columns(of: widest)
        (columns, hasLimits, hasFacts) = (0, false, false)
    }
}
