import Configuration
import Recording

extension Retention {
    /// What the settings say is kept.
    init(_ settings: Settings.Recording) {
        self.init(
            age: settings.keptDays.map { .seconds($0 * 86_400) }, size: settings.sizeLimit.map { Int64($0) * 1_000_000 }
        )
    }
}
