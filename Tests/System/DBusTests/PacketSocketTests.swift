import DBus
import Glibc
import TestSupport
import Testing

@Suite("A socket of packets")
struct PacketSocketTests {
    @Test("keeps the boundaries of packets, empty ones included, and their order")
    func boundaries() throws {
        let (near, far) = try DBusFileDescriptor.packetSockets()
        for packet: [UInt8] in [[1, 2, 3], [], [4]] { #expect(near.sendPacket(packet) == .sent) }
        let received = (0..<4).map { _ in far.receivePacket(atMost: 8) }
        #expect(received == [.packet([1, 2, 3]), .packet([]), .packet([4]), .nothing])
    }

    @Test("reports a packet that is longer than the limit, and goes on with the next one")
    func tooLong() throws {
        let (near, far) = try DBusFileDescriptor.packetSockets()
        for packet: [UInt8] in [[1, 2, 3], [4, 5]] { #expect(near.sendPacket(packet) == .sent) }
        #expect(far.receivePacket(atMost: 2) == .tooLong)
        #expect(far.receivePacket(atMost: 2) == .packet([4, 5]))
    }

    @Test("gives what was sent before the other side closed it, then its end, and accepts nothing more")
    func end() throws {
        var ends: (DBusFileDescriptor, DBusFileDescriptor)? = try DBusFileDescriptor.packetSockets()
        let far = try #require(ends?.1)
        #expect(ends?.0.sendPacket([1]) == .sent)
        ends = nil
        #expect(far.receivePacket(atMost: 2) == .packet([1]))
        #expect(far.receivePacket(atMost: 2) == .end)
        guard case .failed(let error) = far.sendPacket([2]) else {
            Issue.record("the packet was accepted")
            return
        }
        #expect(error.number == EPIPE)
    }

    @Test("says that it is full, and takes packets again when they are read")
    func full() throws {
        let (near, far) = try DBusFileDescriptor.packetSockets()
        var sent = 0
        while near.sendPacket([UInt8](repeating: 7, count: 512)) == .sent { sent += 1 }
        #expect(sent > 1)
        #expect(near.sendPacket([1]) == .full)
        for _ in 0..<sent { #expect(far.receivePacket(atMost: 512) == .packet([UInt8](repeating: 7, count: 512))) }
        #expect(near.sendPacket([1]) == .sent)
    }

    @Test("is told from other descriptors")
    func kind() throws {
        #expect(try DBusFileDescriptor.packetSockets().0.isPacketSocket)
        let stream = try connectedDescriptors()
        for other in [stream.0, stream.1, -1] { #expect(!DBusFileDescriptor(owning: other).isPacketSocket) }
    }
}
