import VitalDecoders
import Vitals

extension DeviceTime {
    /// A sensor's time stamp; `nil` for an impossible one.
    ///
    /// Unknown parts stay unknown.
    init?(_ time: DateTime) {
        guard time.isPossible else { return nil }
        self.init(
            year: time.year.map(Int.init), month: time.month.map(Int.init), day: time.day.map(Int.init),
            hour: Int(time.hour), minute: Int(time.minute), second: Int(time.second))
    }
}
