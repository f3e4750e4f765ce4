import BluetoothCapture
import TestSupport
import VitalDecoders

/// Everything that a capture says, read in portions of any size.
func events(
    _ octets: [UInt8], portion: Int = .max, names: [CapturedPeer: AttributeNames] = [:],
    characteristics: [UInt16: BluetoothUUID] = [:]
) -> (events: [CaptureEvent], trouble: CaptureError?, names: [CapturedPeer: AttributeNames]) {
    var reader = CaptureReader()
    var decoder = CaptureDecoder(names: names, characteristics: characteristics)
    var events: [CaptureEvent] = []
    var rest = octets[...]
    do throws(CaptureError) {
        while !rest.isEmpty {
            reader.append(rest.prefix(portion))
            rest = rest.dropFirst(portion)
            while let record = try reader.next() { decoder.handle(record) { events.append($0) } }
        }
        return (events, reader.unfinished, decoder.names)
    } catch {
        return (events, error, decoder.names)
    }
}

/// The values among events, with the characteristic or handle that they are of.
func values(_ events: [CaptureEvent]) -> [(attribute: CaptureEvent.Attribute, octets: [UInt8])] {
    events.compactMap { event in
        if case .value(let attribute, let octets, _) = event.kind { (attribute, octets) } else { nil }
    }
}

/// A strap that is heard, connected, discovered, and sends two heart rates.
func strap(_ container: CaptureScript.Container, portion: Int = .max) -> CaptureScript {
    var script = CaptureScript(container)
    script.advertise("C0:52:49:00:00:02", name: "Polar H10 1234", services: [0x180D])
    script.wait(milliseconds: 100)
    script.connect("C0:52:49:00:00:02", link: 0x0040)
    script.discoverServices(link: 0x0040, [0x180D, 0x180F])
    script.discover(link: 0x0040, [(0x0010, [0x37, 0x2A]), (0x0020, [0x19, 0x2A])])
    script.read(link: 0x0040, handle: 0x0020, [87])
    script.wait(milliseconds: 1000)
    script.attribute(0x0040, [0x1B, 0x10, 0x00, 0x06, 72], .received, portion: portion)
    script.wait(milliseconds: 1000)
    script.notify(link: 0x0040, handle: 0x0010, [0x06, 73])
    script.wait(milliseconds: 500)
    script.disconnect(link: 0x0040, reason: 0x08)
    return script
}
