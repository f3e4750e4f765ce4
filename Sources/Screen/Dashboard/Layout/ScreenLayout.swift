import Appearance
import Base
import TextGrid

/// The division of the screen; a pure function of its size and its content.
///
/// Measured vitals get the room: a vital without a sensor has one row. While something is measured, the sensors are a row
/// of chips with the newest events below; otherwise their list has the middle. An alarm never changes the numbers: its
/// line is taken from the events, or from the list.
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
        /// A title above a strip at the left and the number's field at the right: at least 4 rows.
        case titled
        /// Only a titled rule, for a vital without a sensor.
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
    /// The number's field of each titled vital.
    let field: NumberField
    /// The size of the large digits, which all vitals share.
    var digits: BigDigits { field.digits }
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
    /// One area for each vital; the large ones have the same size, but for a row that is left over.
    var vitals: [Area]
    /// The trends of the vitals whose strips show waves, side by side below them, with their title row; `nil` without room.
    private(set) var band: Area?
    /// The sensors with their title row: the list, or a row of chips with the newest events below.
    var sensors: Area
    /// Whether the sensors are chips, because there are measurements to show; the list is a page then.
    var hasChips = false
    /// Whether the newest lines of the alarm log are below the list, for any number of alarms.
    var hasLog = false
    /// The keys, in the lowest row.
    var keyBar: Area

    /// The rows of that band: a title and a graph of six.
    private static let bandRows = 7
    /// The rows of the screen from which on there is one.
    private static let rowsWithBand = 36

    /// Everything below the alarms, for the help.
    var body: Area {
        let top = vitals.map(\.row).min() ?? keyBar.row
        return Area(column: 0, row: top, columns: alarms.columns, rows: keyBar.row + keyBar.rows - top)
    }

    /// Whether the vitals have titled rules.
    var isTitled: Bool { forms.contains(.titled) || forms.allSatisfy { $0 == .rule } }

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
        /// The places of the vitals whose strips show waves.
        var waved: [Int] = []
        /// The number of listed sensors.
        var sensorCount = 0
        /// Whether a sensor is connected, or is to be.
        var hasWantedSensor = true

        /// A temperature in degrees Celsius.
        static let widestTemperature = "38.8"
        /// A temperature in degrees Fahrenheit.
        static let widestFahrenheit = "188.8"
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
        func divided(bandRows: Int, _ sizeClass: SizeClass) -> Division {
            Division(
                columns: columns, rows: plannedRows - bandRows, ofScreen: rows, sizeClass, content, glyphs)
        }
        let bandRows = content.waved.isEmpty || sizeClass != .full || rows < Self.rowsWithBand ? 0 : Self.bandRows
        var division = divided(bandRows: bandRows, sizeClass)
        let hasBand = bandRows > 0 && division.hasRoomForBand
        if bandRows > 0, !hasBand { division = divided(bandRows: 0, sizeClass) }
        let form = division.form
        field = division.field
        hasDigitsAbove = division.hasDigitsAbove
        isSideBySide = division.isSideBySide
        forms = content.widest.map { $0 != nil || form == .line ? form : form == .titled ? .rule : .line }
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
            var higher = division.higherCount
            for widest in content.widest {
                let isHigher = widest != nil && higher > 0
                if isHigher { higher -= 1 }
                vitals.append(rest.takeTop(widest == nil ? 1 : division.vitalRows + (isHigher ? 1 : 0)))
            }
        }
        if hasBand { band = rest.takeTop(bandRows) }
        sensors = rest
        hasChips = division.hasChips
        hasLog =
            hasChips ? rows >= 24 : division.listRows - 1 - content.sensorCount >= RecentLogView.leastRows
    }
}

/// The division of the rows below the alarms between vitals and sensors, with the greatest number of shown alarms.
private struct Division {
    var form = ScreenLayout.VitalForm.line
    /// The number of vitals with more than a row.
    let openCount: Int
    /// The rows of each of these.
    var vitalRows = 1
    /// The number of these with one row more, from the top, so that no row is left over.
    var higherCount = 0
    var listRows = 0
    /// The number's field.
    var field: NumberField
    /// The widest usual number.
    let widest: String
    var isSideBySide = false
    var hasDigitsAbove = false
    /// Whether the sensors are chips.
    let hasChips: Bool

    init(
        columns: Int, rows: Int, ofScreen screenRows: Int, _ sizeClass: ScreenLayout.SizeClass,
        _ content: ScreenLayout.Content, _ glyphs: GlyphSet
    ) {
        let numbers = content.widest.compactMap { $0 }
        openCount = numbers.count
        hasChips = openCount > 0 && content.hasWantedSensor
        widest = numbers.max { $0.count < $1.count } ?? ScreenLayout.Content.widestTemperature
        field = NumberField(above: BigDigits(face: .text, isASCII: glyphs == .ascii), widest)
        let closedCount = content.widest.count - openCount
        let leastList = 1 + max(3, rows / 6)
        guard openCount > 0 else {
            form = sizeClass == .minimal || sizeClass == .strip ? .line : .titled
            listRows = rows - closedCount
            return
        }
        // The list gets the rows of vitals without a sensor first, if it needs them. Of chips one row is enough: calm
        // screens have those of the alarms, too.
        let log = rows >= 24 ? RecentLogView.leastRows : 0
        let wanted =
            hasChips
            ? (rows < 24 ? 1 : 2)
            : closedCount == 0 ? leastList : max(leastList, min(1 + content.sensorCount + log, rows / 2))
        let titledRows = (rows - closedCount - wanted) / openCount
        if titledRows >= 4, columns >= 30 {
            (form, vitalRows) = (.titled, titledRows)
            field = NumberField(widest, columns: columns, rows: titledRows - 1, glyphs: glyphs)
            let above = Self.above(widest, columns: columns - 2, rows: titledRows - 1, glyphs)
            // Where hardly a row is left for the graph, a small gain is not enough.
            let (gain, cost) =
                titledRows > Self.rowsWithGraphBelow ? (1, 1) : titledRows >= 8 ? (8, 9) : (4, 5)
            if above.measure > field.digits.measure, above.measure * gain >= field.digits.measure * cost {
                (field, hasDigitsAbove) = (NumberField(above: above, widest), true)
            }
        } else if sizeClass != .strip, sizeClass != .minimal, rows >= 11 {
            (form, vitalRows) = (.plain, 3)
            field = NumberField(
                above: BigDigits.fitting(widest, columns: columns * 2 / 5, rows: 3, glyphs: glyphs), widest)
        } else {
            vitalRows = rows >= 9 ? 2 : 1
        }
        if columns >= 60 {
            let isLowAndWide = columns * 2 > (openCount == 2 ? 7 : 8) * screenRows
            placeSideBySide(columns: columns, rows: rows - closedCount, isLowAndWide: isLowAndWide, glyphs)
        }
        listRows = rows - closedCount - (isSideBySide ? vitalRows : vitalRows * openCount)
        // Below digits a row more would make a graph with a scale of one without.
        if hasChips, form == .titled, !isSideBySide, !hasDigitsAbove {
            higherCount = min(max(0, listRows - wanted), openCount - 1)
            listRows -= higherCount
        }
    }

    /// Whether a band of trends below the vitals leaves them enough.
    var hasRoomForBand: Bool { form == .titled && !isSideBySide && !hasDigitsAbove && vitalRows >= Self.rowsAboveBand }

    /// The rows of a vital above that band, at least.
    private static let rowsAboveBand = 7

    /// The rows from which on some below the digits are the graph's.
    private static let rowsWithGraphBelow = 9

    /// Places the vitals side by side if that makes the numbers larger.
    private mutating func placeSideBySide(columns: Int, rows: Int, isLowAndWide: Bool, _ glyphs: GlyphSet) {
        guard openCount > 1 else { return }
        let panelRows = rows - (hasChips ? 2 : 1 + max(1, min(max(3, rows / 6), rows / 4)))
        guard panelRows >= 4 else { return }
        let beside = NumberField(widest, columns: columns / openCount, rows: panelRows - 1, glyphs: glyphs)
        let above = Self.above(widest, columns: columns / openCount - 2, rows: panelRows - 1, glyphs)
        let isAbove = above.measure > beside.digits.measure
        let size = max(above.measure, beside.digits.measure)
        // Above each other the trends are wider and share their times, so the gain must be large; but where they are low
        // and wide, side by side is as good.
        guard isLowAndWide ? size > field.digits.measure : size * 2 >= field.digits.measure * 3 else { return }
        (form, vitalRows, isSideBySide, hasDigitsAbove) = (.titled, panelRows, true, isAbove)
        field = isAbove ? NumberField(above: above, widest) : beside
    }

    /// The size of digits that leave rows for a graph below them, if there are rows for both.
    private static func above(_ widest: String, columns: Int, rows: Int, _ glyphs: GlyphSet) -> BigDigits {
        BigDigits.fitting(
            widest, columns: columns, rows: rows < rowsWithGraphBelow ? min(rows, 6) : rows - max(3, rows / 3),
            glyphs: glyphs)
    }
}
