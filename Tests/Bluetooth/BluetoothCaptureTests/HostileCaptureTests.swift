import BluetoothCapture
import TestSupport
import Testing
import VitalDecoders

@Suite("Hostile captures")
struct HostileCaptureTests {
    @Test(
        "any octets behind a good beginning are read or refused, and never crash",
        arguments: CaptureScript.Container.allCases)
    func randomOctets(_ container: CaptureScript.Container) {
        var generator = SeededGenerator(seed: 7)
        let header = CaptureScript(container).octets
        for _ in 0..<2000 {
            let garbage = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                // Small numbers are more often lengths that can be.
                Bool.random(using: &generator)
                    ? UInt8.random(in: 0...3, using: &generator) : .random(in: 0...255, using: &generator)
            }
            _ = events(header + garbage, portion: Int.random(in: 1...64, using: &generator))
        }
    }

    @Test(
        "a good capture with some octets changed is read or refused, and never crashes",
        arguments: CaptureScript.Container.allCases)
    func damagedCaptures(_ container: CaptureScript.Container) {
        var generator = SeededGenerator(seed: 11)
        let good = strap(container).octets
        for _ in 0..<3000 {
            var octets = good
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                octets[Int.random(in: 0..<octets.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = events(octets)
        }
    }

    @Test("any packets are followed, and what is kept of them is bounded")
    func randomPackets() {
        var generator = SeededGenerator(seed: 13)
        var decoder = CaptureDecoder()
        for number in 0..<60_000 {
            let kind: HCIPacket.Kind =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: .event
                case 1: .data(.sent)
                case 2: .data(nil)
                default: .data(.received)
                }
            var octets = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if case .data = kind, octets.count > 12 {
                // Lengths that fit and the right channel, so that the attribute protocol sees garbage, too.
                octets.replaceSubrange(2..<8, with: [UInt8(octets.count - 4), 0, UInt8(octets.count - 8), 0, 4, 0])
            } else if kind == .event, octets.count > 3 {
                octets.replaceSubrange(
                    0..<2, with: [[0x3E, 0x05, 0x0E].randomElement(using: &generator)!, UInt8(octets.count - 2)])
                octets[2] = [1, 2, 0x0A, 0x0D, 0x29].randomElement(using: &generator)!
            }
            let packet = HCIPacket(kind: kind, controller: number % 3, octets: octets)
            decoder.handle(CaptureRecord(microseconds: Int64(number), packet: packet, offset: 0)) { _ in }
        }
        #expect(decoder.names.count <= 256)
    }
}
