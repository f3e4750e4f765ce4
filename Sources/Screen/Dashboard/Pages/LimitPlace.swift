import Monitoring
import Vitals

/// A place in the table of limits.
struct LimitPlace: Hashable, Sendable {
    private(set) var row = 0
    private(set) var column = 1

    /// Creates the second place.
    init() {}

    /// The place of a limit; `nil` if the table has none.
    init?(_ vital: Vital, _ name: LimitSetting.Name) {
        guard let row = MonitorSettings.Limits.vitals.firstIndex(of: vital),
            let column = LimitSetting.Name.allCases.firstIndex(of: name)
        else { return nil }
        (self.row, self.column) = (row, column)
    }

    var vital: Vital { MonitorSettings.Limits.vitals[row] }
    /// The rule of the column.
    var name: LimitSetting.Name { LimitSetting.Name.allCases[column] }

    /// Moves within the table.
    mutating func move(rows: Int = 0, columns: Int = 0) {
        row = min(max(0, row + rows), MonitorSettings.Limits.vitals.count - 1)
        column = min(max(0, column + columns), LimitSetting.Name.allCases.count - 1)
    }

    /// The name of the rule: "SpO₂ severe low".
    var text: String { "\(vital.shortText) \(name.text)" }
}
