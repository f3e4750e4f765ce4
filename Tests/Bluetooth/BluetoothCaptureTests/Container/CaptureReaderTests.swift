import BluetoothCapture
import TestSupport
import Testing
import VitalDecoders

@Suite("Capture files")
struct CaptureReaderTests {
    @Test("every kind of file reports the same", arguments: CaptureScript.Container.allCases)
    func containers(_ container: CaptureScript.Container) throws {
        let found = events(strap(container).octets)
        #expect(found.trouble == nil)
        let address = CapturedPeer.address("C0:52:49:00:00:02")
        #expect(found.events.allSatisfy { $0.peer == address })
        let start: Int64 = 1_767_323_045_000_000
        #expect(
            found.events.map { $0.microseconds - start } == [
                0, 100_000, 100_000, 100_000, 100_000, 1_100_000, 2_100_000, 2_600_000,
            ])
        #expect(
            found.events.suffix(3).map(\.kind) == [
                .value(.characteristic(BluetoothUUID(0x2A37)), [0x06, 72], .notified),
                .value(.characteristic(BluetoothUUID(0x2A37)), [0x06, 73], .notified),
                .disconnected(.reason(0x08)),
            ])
    }

    @Test("it makes no difference in which portions a file comes", arguments: CaptureScript.Container.allCases)
    func portions(_ container: CaptureScript.Container) {
        let octets = strap(container).octets
        let whole = events(octets)
        for portion in [1, 2, 7, 64, 1000] {
            let found = events(octets, portion: portion)
            #expect(found.events == whole.events && found.trouble == nil)
        }
    }

    @Test(
        "a file that ends within a record gives what lies before it, and the place",
        arguments: CaptureScript.Container.allCases)
    func cutFile(_ container: CaptureScript.Container) throws {
        let octets = strap(container).octets
        let whole = events(octets).events
        for count in 1..<octets.count {
            let found = events(Array(octets.prefix(count)))
            #expect(found.events == Array(whole.prefix(found.events.count)))
            if let trouble = found.trouble { #expect(trouble.offset <= count) }
        }
        let trouble = try #require(events(octets.dropLast()).trouble)
        #expect(trouble.reason == "the file ends within a record")
        #expect(trouble.offset > 0)
    }

    @Test("an empty file and one that is not a capture are distinguished")
    func noCapture() {
        #expect(CaptureReader().unfinished?.reason == "there is nothing: the file is empty")
        #expect(events(Array("btsno".utf8)).trouble?.reason == "the file ends within its first octets")
        #expect(
            events(Array("#!/bin/bash".utf8)).trouble?.reason.hasPrefix("there is no capture file's beginning") == true)
    }

    @Test(
        "a record of absurd length ends the reading with its place",
        arguments: [CaptureScript.Container.btsnoopH4, .pcapH4, .pcapngMonitor])
    func absurdLength(_ container: CaptureScript.Container) throws {
        let good = strap(container).octets
        let garbage = [UInt8](repeating: 0xFE, count: 64)
        let found = events(good + garbage)
        #expect(found.events == events(good).events)
        let trouble = try #require(found.trouble)
        #expect(trouble.offset == Int64(good.count))
        #expect(trouble.reason.contains("claims"))
    }

    @Test("files of other layers than HCI are refused with the number of theirs")
    func otherLayers() {
        var pcap = CaptureScript(.pcapH4).octets
        pcap[20] = 1
        #expect(
            events(pcap).trouble?.reason == "the packets are of link type 1; Bluetooth's 187, 201 and 254 can be read")
        var snoop = CaptureScript(.btsnoopH4).octets
        snoop[15] = 0xEC
        #expect(events(snoop).trouble?.reason.contains("of kind 1004;") == true)
        snoop[11] = 2
        #expect(events(snoop).trouble == CaptureError(offset: 8, reason: "the btsnoop version is 2, only 1 is known"))
    }

    @Test("reading continues from the record that was to come next")
    func rewinding() throws {
        let octets = strap(.btsnoopMonitor).octets
        var reader = CaptureReader()
        reader.append(octets)
        for _ in 0..<3 { _ = try reader.next() }
        var later = reader
        later.rewindToRecord()
        later.append(octets[Int(later.offset)...])
        let expected = try #require(try reader.next())
        #expect(try later.next() == expected)
    }

    @Test("what is packed into pcapng beside Bluetooth is left out")
    func otherInterface() {
        let script = strap(.pcapngMonitor)
        // A name resolution block, of a kind that the reader ignores.
        let other = CaptureScript.little(4, 4) + CaptureScript.little(12, 4) + CaptureScript.little(12, 4)
        #expect(events(script.octets + other).events == events(script.octets).events)
        #expect(events(script.octets + other).trouble == nil)
    }
}
