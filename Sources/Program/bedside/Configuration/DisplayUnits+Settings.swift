import Configuration
import Dashboard

extension DisplayUnits {
    /// The units of the settings.
    init(_ settings: Settings) {
        self.init(temperature: settings.screen.units, glucose: settings.screen.glucoseUnit)
    }
}
