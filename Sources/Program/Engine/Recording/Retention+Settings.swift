import Configuration
import Recording

extension Retention {
    /// The retention by the settings.
    init(_ settings: Settings.Recording) {
        self.init(
            age: settings.keptDays.map { .seconds($0 * 86_400) },
            entryAge: settings.keptEntryDays.map { .seconds($0 * 86_400) },
            size: settings.sizeLimit.map { Int64($0) * 1_000_000 }
        )
    }
}
