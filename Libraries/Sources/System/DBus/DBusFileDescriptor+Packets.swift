import EventLoops
import Glibc

// Sockets of packets, which daemons pass where a bus would be too slow.
extension DBusFileDescriptor {
    /// What was taken from a socket of packets.
    public enum ReceivedPacket: Hashable, Sendable {
        /// A whole packet, which may be empty.
        case packet([UInt8])
        /// A packet was longer than the limit, and is lost.
        case tooLong
        /// No packet waits.
        case nothing
        /// The other side has closed the socket, and everything that it sent was taken.
        case end
    }

    /// What happened to a packet that was to be sent.
    public enum PacketSending: Hashable, Sendable {
        case sent
        /// The socket holds as much as it can; try again when it is writable.
        case full
        /// The other side has closed the socket, or the system refused.
        case failed(SystemError)
    }

    /// Creates two connected sockets that keep the boundaries of packets (`SOCK_SEQPACKET`, `unix(7)`).
    public static func packetSockets() throws(SystemError) -> (DBusFileDescriptor, DBusFileDescriptor) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError(number: errno) }
        return (DBusFileDescriptor(owning: ends[0]), DBusFileDescriptor(owning: ends[1]))
    }

    /// Whether it is an open socket that keeps the boundaries of packets.
    public var isPacketSocket: Bool {
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &length) == 0
            && type == Int32(SOCK_SEQPACKET.rawValue)
    }

    /// Takes the oldest packet, without waiting.
    ///
    /// - Parameter limit: The longest packet to accept, in octets.
    public func receivePacket(atMost limit: Int) -> ReceivedPacket {
        var octets = [UInt8](repeating: 0, count: max(0, limit) + 1)
        var count = -1
        repeat {
            count = recv(number, &octets, octets.count, Int32(MSG_DONTWAIT))
            // What was sent before the other side gave up unread packets comes after the report of that.
        } while count < 0 && (errno == EINTR || errno == ECONNRESET)
        guard count >= 0 else { return errno == EAGAIN ? .nothing : .end }
        // The end, too, reads as no octets.
        if count == 0, isHungUp { return .end }
        return count > limit ? .tooLong : .packet(Array(octets[..<count]))
    }

    /// Sends a packet, without waiting.
    ///
    /// - Parameter octets: The packet; an empty one looks to many receivers like the end.
    public func sendPacket(_ octets: [UInt8]) -> PacketSending {
        var count = -1
        repeat {
            count = send(number, octets, octets.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        } while count < 0 && errno == EINTR
        if count >= 0 { return .sent }
        return errno == EAGAIN ? .full : .failed(SystemError(number: errno))
    }

    private var isHungUp: Bool {
        var state = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0 && Int32(state.revents) & Int32(POLLHUP) != 0
    }
}
