import Monitoring
import VitalDecoders

extension ValueText {
    init(temperatureUnit: TemperatureUnit) { self.init(isFahrenheit: temperatureUnit == .fahrenheit) }
}
