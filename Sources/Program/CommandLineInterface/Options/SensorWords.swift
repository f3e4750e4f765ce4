import Base
import Vitals

/// The remembered sensors, for completion by a shell.
public enum SensorWords {
    /// A line for each sensor: the value for `--connect`, a tab, and a description that distinguishes the sensor.
    ///
    /// The value is the sensor's name, or its address if the name is shared, is another sensor's address, means all, or
    /// cannot be typed.
    ///
    /// - Parameter sensors: The remembered sensors.
    /// - Returns: The lines, without control characters except the tab and the line feed.
    public static func lines(_ sensors: [RememberedSensor]) -> String {
        let names = sensors.map { sensor in Set([sensor.name, sensor.label ?? sensor.name].map { $0.lowercased() }) }
        return sensors.enumerated().map { index, sensor in
            let name = sensor.label ?? sensor.name
            let isShared = names.enumerated().contains { $0.offset != index && $0.element.contains(name.lowercased()) }
            let isTypable = !name.allSatisfy(\.isWhitespace) && !name.contains("\u{FFFD}") && name.lowercased() != "all"
            let address = sanitized(sensor.address)
            return isShared || !isTypable ? "\(address)\t\(name)\n" : "\(name)\t\(address)\n"
        }
        .joined()
    }
}
