import VitalDecoders
import Vitals

extension DeviceTime {
    /// A sensor's time stamp, or `nil` when its time of day does not exist; a date that does not exist is unknown.
    init?(_ time: DateTime) {
        guard time.hour < 24, time.minute < 60, time.second < 60 else { return nil }
        let year = time.year.flatMap { 1582...9999 ~= $0 ? Int($0) : nil }
        let month = time.month.flatMap { 1...12 ~= $0 ? Int($0) : nil }
        let day = time.day.flatMap { 1...31 ~= $0 ? Int($0) : nil }
        self.init(
            year: year, month: month, day: day, hour: Int(time.hour), minute: Int(time.minute),
            second: Int(time.second))
    }
}
