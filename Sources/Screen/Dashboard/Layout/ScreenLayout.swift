import Appearance
import Base
import TextGrid

/// The division of the screen; a pure function of its size and its content.
///
/// Measured vitals get the room: a vital without a sensor has one row, and the list then gets the rows that it needs.
/// While all vitals have a sensor, the number of sensors makes no difference, because a growing list would move the
/// screen. An alarm never changes the numbers: its line is taken from the list.
struct ScreenLayout: Hashable {
    enum SizeClass: Hashable {
        /// At least 100 × 30.
        case full
        /// At least 60 × 16.
        case compact
        /// At least 30 × 6.
        case strip
        /// Anything smaller.
        case minimal
    }

    /// The form of a vital.
    enum VitalForm: Hashable {
        /// A titled rule above, inside of a frame: at least 4 rows.
        case framed
        /// Only the titled rule of a frame, for a vital without a sensor.
        case rule
        /// Digits, facts and trend side by side in 3 rows.
        case plain
        /// One or two lines of text with a small trend.
        case line
    }

    var sizeClass: SizeClass
    /// The form of each vital.
    var forms: [VitalForm]
    /// Whether the large vitals are side by side rather than above each other.
    var isSideBySide = false
    /// The size of the large digits, which all vitals share.
    var digits: BigDigits
    /// The columns of the digits, the same for all vitals.
    var digitColumns = 0
    /// Whether the digits are above the graphs rather than beside them.
    var hasDigitsAbove = false
    /// The product's name, the adapter, the clock.
    var header: Area
    /// The alarms, the worst one in the first row.
    var alarms: Area
    /// Notices that alarms cannot be heard or seen; empty without any, or if the header shows them.
    var notices: Area
    /// The newest blood pressure; empty without one, or without room.
    var pressure: Area
    /// One area for each vital; the large ones have the same size.
    var vitals: [Area]
    /// The list of sensors with its title row.
    var sensors: Area
    /// Whether the newest lines of the alarm log are below the list, for any number of alarms.
    var hasLog = false
    /// The keys, in the lowest row.
    var keyBar: Area

    /// Everything below the alarms, for the help.
    var body: Area {
        let top = vitals.map(\.row).min() ?? keyBar.row
        return Area(column: 0, row: top, columns: alarms.columns, rows: keyBar.row + keyBar.rows - top)
    }

    /// Whether the vitals have a frame.
    var isFramed: Bool { forms.contains(.framed) || forms.allSatisfy { $0 == .rule } }

    /// The area of a page: everything below the alarms except the keys.
    var page: Area {
        sizeClass == .minimal
            ? Area(column: 0, row: 1, columns: alarms.columns, rows: keyBar.row + keyBar.rows - 1)
            : body.inset(bottom: keyBar.rows)
    }

    /// The content to divide the screen for.
    struct Content: Hashable {
        /// The number of alarms.
        var alarmCount = 0
        /// Whether something keeps alarms from being heard or seen.
        var hasNotices = false
        /// Whether there is a blood pressure to show.
        var hasPressure = false
        /// For each vital, the widest usual number; `nil` without a sensor.
        var widest: [String?] = ["188", "188", Content.widestTemperature]
        /// The number of listed sensors.
        var sensorCount = 0

        /// A temperature in degrees Fahrenheit, or with two decimals in a rare case.
        static let widestTemperature = "188.8"
    }

    /// The inputs of a division.
    struct Basis: Hashable {
        /// The width of the screen.
        var columns: Int
        /// Its height.
        var rows: Int
        /// The content.
        var content: Content
        /// The permitted characters.
        var glyphs: GlyphSet
    }

    /// The inputs of this division; while they are the same, so is the division.
    let basis: Basis

    /// Divides a screen.
    init(columns: Int, rows: Int, content: Content = Content(), glyphs: GlyphSet = .braille) {
        self.init(Basis(columns: columns, rows: rows, content: content, glyphs: glyphs))
    }

    /// Divides a screen.
    init(_ basis: Basis) {
        self.basis = basis
        let (columns, rows, content, glyphs) = (basis.columns, basis.rows, basis.content, basis.glyphs)
        sizeClass =
            switch (columns, rows) {
            case (100..., 30...): .full
            case (60..., 16...): .compact
            case (30..., 6...): .strip
            default: .minimal
            }
        var rest = Area(column: 0, row: 0, columns: columns, rows: rows)
        header = rest.takeTop(1)
        let mostAlarms = sizeClass == .full ? (rows >= 45 ? 5 : 3) : sizeClass == .compact && rows >= 24 ? 2 : 1
        // Notices and the blood pressure have a row each, or none.
        let wordRows = columns >= 30 && rows >= 10 ? 1 : 0
        alarms = rest.takeTop(min(max(1, content.alarmCount), mostAlarms))
        notices = rest.takeTop(content.hasNotices ? wordRows : 0)
        pressure = rest.takeTop(content.hasPressure ? wordRows : 0)
        // A number is more important than the keys, which the help contains, too.
        keyBar = rest.takeBottom(rest.rows > content.widest.count ? 1 : 0)

        // The rows with the greatest number of shown alarms, and a notice.
        let plannedRows = rest.rows - (mostAlarms - alarms.rows) - (wordRows - notices.rows)
        let division = Division(columns: columns, rows: plannedRows, sizeClass, content, glyphs)
        let form = division.form
        digits = division.digits
        digitColumns = division.digits.columns(of: division.widest)
        hasDigitsAbove = division.hasDigitsAbove
        isSideBySide = division.isSideBySide
        forms = content.widest.map { $0 != nil || form == .line ? form : form == .framed ? .rule : .line }
        if isSideBySide {
            let row = rest.takeTop(division.vitalRows)
            // The remaining columns go to the last one.
            let width = columns / division.openCount
            var next = row
            vitals = content.widest.map { _ in row }
            let open = content.widest.indices.filter { content.widest[$0] != nil }
            for index in open { vitals[index] = next.takeLeft(index == open.last ? next.columns : width) }
            for index in content.widest.indices where content.widest[index] == nil { vitals[index] = rest.takeTop(1) }
        } else {
            vitals = []
            for widest in content.widest { vitals.append(rest.takeTop(widest == nil ? 1 : division.vitalRows)) }
        }
        sensors = rest
        hasLog = division.listRows - 1 - content.sensorCount >= RecentLogView.leastRows
    }
}

/// The division of the rows below the alarms between vitals and sensors, with the greatest number of shown alarms.
private struct Division {
    var form = ScreenLayout.VitalForm.line
    /// The number of vitals with more than a row.
    let openCount: Int
    /// The rows of each of these.
    var vitalRows = 1
    var listRows = 0
    /// The size of the digits.
    var digits: BigDigits
    /// The widest usual number.
    let widest: String
    var isSideBySide = false
    var hasDigitsAbove = false

    init(
        columns: Int, rows: Int, _ sizeClass: ScreenLayout.SizeClass, _ content: ScreenLayout.Content,
        _ glyphs: GlyphSet
    ) {
        let numbers = content.widest.compactMap { $0 }
        openCount = numbers.count
        widest = numbers.max { $0.count < $1.count } ?? ScreenLayout.Content.widestTemperature
        digits = BigDigits(face: .text, isASCII: glyphs == .ascii)
        let closedCount = content.widest.count - openCount
        let leastList = 1 + max(3, rows / 6)
        guard openCount > 0 else {
            form = sizeClass == .minimal || sizeClass == .strip ? .line : .framed
            listRows = rows - closedCount
            return
        }
        // The list gets the rows of vitals without a sensor first, if it needs them.
        let log = rows >= 24 ? RecentLogView.leastRows : 0
        let wanted = closedCount == 0 ? leastList : max(leastList, min(1 + content.sensorCount + log, rows / 2))
        let framedRows = (rows - closedCount - wanted) / openCount
        let beside = BigDigits.fitting(widest, columns: columns * 2 / 5, rows: framedRows - 1, glyphs: glyphs)
        if framedRows >= 4, columns >= 30 {
            (form, vitalRows, digits) = (.framed, framedRows, beside)
            let above = Self.above(widest, columns: columns - 4, rows: framedRows - 1, glyphs)
            // Side by side, numbers and graphs are easier to read, so a small gain is not enough.
            if above.measure * 4 > beside.measure * 5 { (digits, hasDigitsAbove) = (above, true) }
        } else if sizeClass != .strip, sizeClass != .minimal, rows >= 11 {
            (form, vitalRows) = (.plain, 3)
            digits = BigDigits.fitting(widest, columns: columns * 2 / 5, rows: 3, glyphs: glyphs)
        } else {
            vitalRows = rows >= 9 ? 2 : 1
        }
        if columns >= 60 { placeSideBySide(columns: columns, rows: rows - closedCount, glyphs) }
        listRows = rows - closedCount - (isSideBySide ? vitalRows : vitalRows * openCount)
    }

    /// Places the vitals side by side if that makes the numbers larger.
    private mutating func placeSideBySide(columns: Int, rows: Int, _ glyphs: GlyphSet) {
        guard openCount > 1 else { return }
        let panelRows = rows - 1 - max(1, min(max(3, rows / 6), rows / 4))
        guard panelRows >= 4 else { return }
        let inner = (columns: columns / openCount - 4, rows: panelRows - 1)
        let beside = BigDigits.fitting(widest, columns: inner.columns * 2 / 5, rows: inner.rows, glyphs: glyphs)
        let above = Self.above(widest, columns: inner.columns, rows: inner.rows, glyphs)
        let size = above.measure > beside.measure ? above : beside
        // Above each other the trends are wider and share their times, so the gain must be large.
        guard size.measure * 2 >= digits.measure * 3 else { return }
        (form, vitalRows, digits, isSideBySide) = (.framed, panelRows, size, true)
        hasDigitsAbove = above.measure > beside.measure
    }

    /// The size of digits that leave rows for a graph below them, if there are rows for both.
    private static func above(_ widest: String, columns: Int, rows: Int, _ glyphs: GlyphSet) -> BigDigits {
        BigDigits.fitting(widest, columns: columns, rows: rows < 7 ? rows : rows - max(3, rows / 3), glyphs: glyphs)
    }
}
