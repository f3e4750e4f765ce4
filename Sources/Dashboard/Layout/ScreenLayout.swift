/// How the screen is divided; a pure function of its size and of the number of alarms.
///
/// The number of sensors makes no difference: a growing list would move the screen. Nor does an alarm change the
/// numbers: its line is taken from the list.
struct ScreenLayout: Hashable {
    /// The size classes.
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

    /// How a vital is drawn.
    enum VitalForm: Hashable {
        /// A titled rule above, inside of a frame: at least 4 rows.
        case framed
        /// Digits, facts and trend side by side in 3 rows.
        case plain
        /// One or two lines of text with a small trend.
        case line
    }

    /// The size class.
    var sizeClass: SizeClass
    /// How the vitals are drawn.
    var form: VitalForm
    /// The product's name, the adapter, the clock.
    var header: Area
    /// The alarms, the worst one in the first row.
    var alarms: Area
    /// Notices that alarms cannot be heard or seen; empty without any, or where the header shows them.
    var notices: Area
    /// The newest blood pressure; empty when there is none, or no room.
    var pressure: Area
    /// One area for each vital, all of the same height.
    var vitals: [Area]
    /// The list of sensors with its title row.
    var sensors: Area
    /// The keys, in the lowest row.
    var keyBar: Area

    /// Everything below the alarms, for the help.
    var body: Area {
        let first = vitals.first ?? keyBar
        return Area(
            column: 0, row: first.row, columns: alarms.columns, rows: keyBar.row + keyBar.rows - first.row)
    }

    /// What a page covers: everything below the alarms but the keys.
    var page: Area {
        sizeClass == .minimal
            ? Area(column: 0, row: 1, columns: alarms.columns, rows: keyBar.row + keyBar.rows - 1)
            : body.inset(bottom: keyBar.rows)
    }

    /// Divides a screen.
    ///
    /// - Parameters:
    ///   - alarmCount: How many alarms there are.
    ///   - hasNotices: Whether something keeps alarms from being heard or seen.
    ///   - hasPressure: Whether there is a blood pressure to show.
    init(columns: Int, rows: Int, alarmCount: Int, hasNotices: Bool = false, hasPressure: Bool = false) {
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
        alarms = rest.takeTop(min(max(1, alarmCount), mostAlarms))
        notices = rest.takeTop(hasNotices ? wordRows : 0)
        pressure = rest.takeTop(hasPressure ? wordRows : 0)
        keyBar = rest.takeBottom(1)

        // What is left when there are as many alarms as are shown, and a notice.
        let plannedRows = rest.rows - (mostAlarms - alarms.rows) - (wordRows - notices.rows)
        let sensorRows = 1 + max(3, plannedRows / 6)
        let framedRows = (plannedRows - sensorRows) / 3
        let vitalRows: Int
        if framedRows >= 4, columns >= 36 {
            form = .framed
            vitalRows = framedRows
        } else if sizeClass != .strip, plannedRows >= 11 {
            form = .plain
            vitalRows = 3
        } else {
            form = .line
            vitalRows = plannedRows >= 9 ? 2 : 1
        }
        vitals = (0..<3).map { _ in rest.takeTop(vitalRows) }
        sensors = rest
    }
}
