import BluetoothCapture
import TestSupport
import Testing
import VitalDecoders

@Suite("Links in a capture")
struct LinkTests {
    private let address = "C0:52:49:00:00:02"
    private let heartRate = CaptureEvent.Attribute.characteristic(BluetoothUUID(0x2A37))

    @Test("a frame in several packets is one value", arguments: [1, 2, 3, 4, 5, 8])
    func fragments(_ portion: Int) {
        let found = values(events(strap(.btsnoopMonitor, portion: portion).octets).events)
        #expect(found.map(\.octets) == [[87], [0x06, 72], [0x06, 73]])
    }

    @Test("every event that reports a link is understood", arguments: [0x01, 0x0A, 0x29] as [UInt8])
    func connectionEvents(_ subevent: UInt8) {
        var script = CaptureScript()
        script.connect(address, link: 0x0801, subevent: subevent)
        #expect(events(script.octets).events.map(\.kind) == [.connected])
        #expect(events(script.octets).events.first?.peer == .address(address))
    }

    @Test("links of two sensors do not mix, nor do those of two controllers")
    func severalLinks() {
        var script = CaptureScript()
        script.connect("C0:52:49:00:00:01", link: 0x40)
        script.connect("C0:52:49:00:00:02", link: 0x41)
        script.controller = 1
        script.connect("C0:52:49:00:00:03", link: 0x40)
        script.discover(link: 0x40, [(0x10, [0x5F, 0x2A])])
        script.notify(link: 0x40, handle: 0x10, [3])
        script.controller = 0
        script.discover(link: 0x40, [(0x10, [0x1C, 0x2A])])
        script.discover(link: 0x41, [(0x10, [0x37, 0x2A])])
        script.notify(link: 0x41, handle: 0x10, [2])
        script.notify(link: 0x40, handle: 0x10, [1])
        let found = events(script.octets).events.filter { if case .value = $0.kind { true } else { false } }
        #expect(found.map(\.peer) == ["3", "2", "1"].map { .address("C0:52:49:00:00:0\($0)") })
        #expect(
            values(found).map(\.attribute)
                == [0x2A5F, 0x2A37, 0x2A1C].map { .characteristic(BluetoothUUID($0)) })
    }

    @Test("what is known of handles outlives the link, as bluetoothd's memory does")
    func namesOutliveLink() {
        var script = strap(.btsnoopH4)
        script.connect(address, link: 0x0041)
        script.notify(link: 0x0041, handle: 0x0010, [0x06, 80])
        #expect(values(events(script.octets).events).last?.attribute == heartRate)
    }

    @Test("a second pass names what came before the discovery")
    func secondPass() {
        var script = CaptureScript()
        script.connect(address, link: 0x40)
        script.notify(link: 0x40, handle: 0x10, [0x06, 70])
        script.discover(link: 0x40, [(0x10, [0x37, 0x2A])])
        let first = events(script.octets)
        #expect(values(first.events).map(\.attribute) == [.unnamed(handle: 0x10)])
        #expect(values(events(script.octets, names: first.names).events).map(\.attribute) == [heartRate])
    }

    @Test("an unnamed handle has the name that the user gives, or none")
    func givenHandles() {
        var script = CaptureScript()
        script.connect(address, link: 0x40)
        script.notify(link: 0x40, handle: 0x10, [0x06, 70])
        #expect(values(events(script.octets).events).map(\.attribute) == [.unnamed(handle: 0x10)])
        let given = events(script.octets, characteristics: [0x10: BluetoothUUID(0x2A37)])
        #expect(values(given.events).map(\.attribute) == [heartRate])
    }

    @Test("a link from before the capture is known by its handle")
    func linkFromBefore() {
        var script = CaptureScript()
        script.notify(link: 0x40, handle: 0x10, [0x06, 70])
        let found = events(script.octets, characteristics: [0x10: BluetoothUUID(0x2A37)])
        #expect(found.events.map(\.peer) == [.link(handle: 0x40)])
        #expect(values(found.events).map(\.attribute) == [heartRate])
    }

    @Test("a controller that is begun anew, or goes, takes its links along")
    func controllerGone() {
        for isReset in [true, false] {
            var script = CaptureScript()
            script.connect(address, link: 0x40)
            guard isReset else {
                // DEL_INDEX of the monitor channel.
                script = CaptureScript()
                script.connect(address, link: 0x40)
                var raw = script.octets
                raw += CaptureScript.little(0, 8) + [0, 0, 0, 1] + CaptureScript.little(0, 4)
                raw += raw[32..<40]
                #expect(events(raw).events.last?.kind == .disconnected(.controller))
                continue
            }
            script.event(0x0E, [1, 0x03, 0x0C, 0])
            #expect(events(script.octets).events.last?.kind == .disconnected(.controller))
        }
    }

    @Test("a packet that the capture cut short gives no value")
    func truncatedPackets() {
        var script = strap(.btsnoopH4)
        let whole = values(events(script.octets).events).count
        script.connect(address, link: 0x40)
        script.packet(
            2, [0x40, 0x20, 9, 0, 5, 0, 4, 0, 0x1B, 0x10, 0x00, 0x06, 99], .received, missing: 1)
        script.notify(link: 0x40, handle: 0x10, [0x06, 74])
        let found = values(events(script.octets).events)
        #expect(found.dropFirst(whole).map(\.octets) == [[0x06, 74]])
    }

    @Test("a lost beginning costs its frame, and no other")
    func lostBeginning() {
        var script = strap(.btsnoopMonitor)
        script.connect(address, link: 0x40)
        script.packet(2, [0x40, 0x10, 2, 0, 0x06, 99], .received)
        script.notify(link: 0x40, handle: 0x10, [0x06, 74])
        #expect(values(events(script.octets).events).last?.octets == [0x06, 74])
        #expect(!values(events(script.octets).events).contains { $0.octets.contains(99) })
    }

    @Test("data for other channels, and what the computer sends, are no values")
    func otherData() {
        var script = CaptureScript()
        script.connect(address, link: 0x40)
        script.packet(2, [0x40, 0x20, 9, 0, 5, 0, 5, 0, 0x1B, 0x10, 0x00, 0x06, 99], .received)
        script.attribute(0x40, [0x1B, 0x10, 0x00, 0x06, 98], .sent)
        #expect(values(events(script.octets).events).isEmpty)
    }
}
