import Appearance
import Base
import Monitoring
import VitalDecoders
import Vitals
import Wording

/// The last values of one characteristic with their times, the newest first.
struct SensorOctetLines {
    let inspection: SensorInspection
    let characteristic: SensorCharacteristic
    let scene: Scene

    /// The most octets of one value in a line.
    private static let octetLimit = 64

    var lines: [SensorContent.Line] {
        let uuid = sanitized(characteristic.uuid, limit: 40)
        let name = BluetoothUUID(characteristic.uuid).flatMap { AssignedNames.characteristic($0) }
        let properties = characteristic.properties.map { sanitized($0, limit: 30) }.joined(separator: ", ")
        let title = [name.map { "\(uuid) \($0)" } ?? uuid, properties].filter { !$0.isEmpty }
        let values = inspection.lastValues(of: characteristic.number)
        let explore = scene.screen.keys.name(of: .explore)
        let hint =
            values.isEmpty
            ? "No value has come since this page was opened. \(explore) reads it, or subscribes to it."
            : "\(Scene.count(values.count, "value")), the newest first; \(SensorInspection.streamLimit) at most"
        return [
            SensorContent.Line(indent: 1, text: title.joined(separator: scene.glyphs.dot), style: .strong),
            SensorContent.Line(indent: 1, text: scene.glyphs.fit(hint), style: .faint), SensorContent.Line(text: ""),
        ]
            + values.map { value in
                SensorContent.Line(indent: 1, label: time(value.moment), text: text(value.octets))
            }
    }

    /// The local time with milliseconds.
    private func time(_ moment: Moment) -> String {
        let milliseconds = (moment.wallMilliseconds % 1000 + 1000) % 1000
        let digits = String(milliseconds)
        let padding = String(repeating: "0", count: 3 - digits.count)
        return "\(scene.time.dateAndTime(moment.wallMilliseconds).time).\(padding)\(digits)"
    }

    private func text(_ octets: [UInt8]) -> String {
        if octets.isEmpty { return "(empty)" }
        let more = octets.count - Self.octetLimit
        return Hexadecimal.text(octets.prefix(Self.octetLimit))
            + (more > 0 ? " \(scene.glyphs.ellipsis) \(more) more" : "")
    }
}
