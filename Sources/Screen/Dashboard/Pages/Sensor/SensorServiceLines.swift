import Appearance
import Base
import Monitoring
import VitalDecoders
import Vitals
import Wording

/// The last part of the page of one sensor: services, characteristics with their properties, and the last value of
/// each, as octets and decoded field by field.
struct SensorServiceLines {
    let sensor: SensorState
    /// The number of the selected characteristic, if any.
    let selected: Int?
    let scene: Scene
    let columns: Int
    private var glyphs: GlyphSet { scene.glyphs }

    // The limits of a page, however much a sensor sends; real sensors are far below.
    private static let octetLimit = 64
    private static let fieldLimit = 32
    private static let valueLimit = 32

    /// The lines, bounded by the services, the characteristics and the limits above.
    var lines: [SensorContent.Line] {
        guard let inspection = scene.inspection(of: sensor), !inspection.services.isEmpty else {
            return [faint(1, sensor.isWanted ? "Not known yet." : "They are known once the sensor is connected.")]
        }
        var room = Self.valueLimit
        var lines: [SensorContent.Line] = []
        for service in inspection.services {
            let name = AdvertisementText.named(service.uuid)
            lines.append(SensorContent.Line(indent: 1, text: name, style: .strong))
            for characteristic in service.characteristics {
                let value = inspection.octets(of: characteristic)
                lines += self.lines(of: characteristic, room > 0 ? value : nil)
                if value != nil { room -= 1 }
            }
        }
        if room < 0 { lines.append(faint(1, "\(-room) more values are not shown.")) }
        return lines
    }

    private func lines(
        of characteristic: SensorCharacteristic, _ value: CharacteristicOctets?
    ) -> [SensorContent.Line] {
        let known = BluetoothUUID(characteristic.uuid).flatMap { CharacteristicType.with(uuid: $0) }
        let name = BluetoothUUID(characteristic.uuid).flatMap { AssignedNames.characteristic($0) }
        let properties = characteristic.properties.map { sanitized($0, limit: 30) }.joined(separator: ", ")
        let uuid = sanitized(characteristic.uuid, limit: 40)
        let title = [name.map { "\(uuid) \($0)" } ?? uuid, properties].filter { !$0.isEmpty }
        let isSelected = selected == characteristic.number
        var lines = [
            SensorContent.Line(
                indent: 2, text: title.joined(separator: glyphs.dot), style: isSelected ? .strong : .plain,
                characteristic: characteristic.number)
        ]
        lines += characteristic.descriptors.map { descriptor in
            let name = BluetoothUUID(descriptor).flatMap { AssignedNames.descriptor($0) }.map { " \($0)" } ?? ""
            return faint(4, "descriptor \(sanitized(descriptor, limit: 40))\(name)")
        }
        guard let value else { return lines }
        let age = scene.time.age(of: value.moment)
        let octets = "\(hexadecimal(value.octets))\(glyphs.dot)\(age == TimeText.now ? age : "\(age) ago")"
        lines += wrapped(octets, columns: max(1, columns - 4), glyphs: glyphs).map { faint(4, $0) }
        if let known { lines += fields(of: value.octets, known) }
        return lines
    }

    private func fields(of octets: [UInt8], _ characteristic: CharacteristicType) -> [SensorContent.Line] {
        let layout = characteristic.layout(of: octets.span)
        var lines = layout.records.prefix(Self.fieldLimit).map { record in
            SensorContent.Line(
                indent: 4, label: record.name, text: glyphs.fit(sanitized(record.meaning, limit: 200)))
        }
        let more = layout.records.count - lines.count
        if more > 0 { lines.append(faint(4, "\(more) more fields")) }
        if let error = layout.error {
            let text = "malformed at offset \(error.offset): \(error.reason)"
            lines.append(SensorContent.Line(indent: 4, text: text, style: .strong))
        }
        return lines
    }

    private func faint(_ indent: Int, _ text: String) -> SensorContent.Line {
        SensorContent.Line(indent: indent, text: text, style: .faint)
    }

    private func hexadecimal(_ octets: [UInt8]) -> String {
        guard !octets.isEmpty else { return "(empty)" }
        let shown = octets.prefix(Self.octetLimit)
        let more = octets.count - shown.count
        return Hexadecimal.text(shown) + (more > 0 ? " \(glyphs.ellipsis) \(more) more" : "")
    }
}
