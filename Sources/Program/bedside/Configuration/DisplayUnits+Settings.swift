import Configuration
import Dashboard
import Wording

extension DisplayUnits {
    /// The units of the settings.
    init(_ settings: Settings) {
        self.init(temperature: settings.screen.units, glucose: settings.screen.glucoseUnit)
    }
}
