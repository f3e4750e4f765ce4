import DBus
import EventLoops

/// The socket of an acquired characteristic, whose packets are values; used on the loop only.
final class AcquiredSocket {
    let characteristic: CharacteristicReference
    let descriptor: DBusFileDescriptor
    /// The values for a reader; `nil` for a writer.
    let values: AcquiredValues?
    /// Why it has ended; `nil` while it is open.
    private(set) var end: NotificationsEndedError.Reason?
    /// The watch of the descriptor.
    var watch: DescriptorWatch?
    /// The values that wait until the socket takes more, the oldest first.
    private var waiting: [(octets: [UInt8], waiter: EventWaiters.Waiter)] = []

    /// The most packets that are taken in one turn of the loop, so that a flood does not hold up everything else.
    private static let packetsOfTurn = 64
    /// More packets than the system's buffer of a socket holds.
    private static let packetsOfBuffer = 1024

    init(_ characteristic: CharacteristicReference, _ descriptor: DBusFileDescriptor, values: AcquiredValues?) {
        (self.characteristic, self.descriptor, self.values) = (characteristic, descriptor, values)
    }

    deinit {
        values?.finish(nil)
        for value in waiting { value.waiter.finish(.failure(BlueZError(afterEnd: .stopped))) }
    }

    // MARK: Receiving

    /// Takes the packets that wait.
    ///
    /// - Parameter isLast: Whether to take all of them, because nothing more is read.
    /// - Returns: Whether the other side has closed the socket, and how many packets were too long for a value.
    func receive(isLast: Bool = false) -> (isOver: Bool, malformed: Int) {
        var malformed = 0
        for _ in 0..<(isLast ? Self.packetsOfBuffer : Self.packetsOfTurn) {
            switch descriptor.receivePacket(atMost: InputBounds.valueLength) {
            case .packet(let octets): values?.send(Notification(octets: octets, timestamp: .now()))
            case .tooLong: malformed += 1
            case .nothing: return (false, malformed)
            case .end: return (true, malformed)
            }
        }
        return (false, malformed)
    }

    // MARK: Sending

    /// Whether a value waits until the socket takes more.
    var hasWaitingValues: Bool { !waiting.isEmpty }

    /// Sends a value if no other one waits.
    ///
    /// - Returns: Whether it was sent; otherwise ``enqueue(_:_:)`` is to follow.
    func sendAtOnce(_ octets: [UInt8]) throws(BlueZError) -> Bool {
        if let end { throw BlueZError(afterEnd: end) }
        if hasWaitingValues { return false }
        return try Self.isSent(descriptor.sendPacket(octets))
    }

    /// Keeps a value until the socket takes it; the waiter then gets the result.
    func enqueue(_ octets: [UInt8], _ waiter: EventWaiters.Waiter) {
        waiting.append((octets, waiter))
    }

    /// Forgets the value of a waiter; nothing happens if it was sent.
    func forget(_ waiter: EventWaiters.Waiter) { waiting.removeAll { $0.waiter === waiter } }

    /// Sends the values that wait, the oldest first, as far as the socket takes them.
    func sendWaitingValues() {
        while let first = waiting.first {
            let result = Result { () throws(BlueZError) in try Self.isSent(descriptor.sendPacket(first.octets)) }
            if case .success(false) = result { return }
            waiting.removeFirst()
            first.waiter.finish(result.map { _ in })
        }
    }

    private static func isSent(_ sending: DBusFileDescriptor.PacketSending) throws(BlueZError) -> Bool {
        switch sending {
        case .sent: return true
        case .full: return false
        case .failed(let error): throw BlueZError(.notConnected, text: "the acquired socket is closed: \(error)")
        }
    }

    /// Ends it for its reader and for the callers that wait.
    func finish(_ reason: NotificationsEndedError.Reason) {
        end = reason
        values?.finish(reason)
        for value in waiting { value.waiter.finish(.failure(BlueZError(afterEnd: reason))) }
        waiting = []
    }
}

extension BlueZError {
    /// The failure of a write to a characteristic whose acquisition has ended.
    init(afterEnd reason: NotificationsEndedError.Reason) {
        let kind: Kind =
            switch reason {
            case .linkLost, .stopped: .notConnected
            case .characteristicGone: .unknownObject
            case .daemonGone: .daemonGone
            case .busLost: .busLost
            }
        let text =
            reason == .stopped
            ? "the writer was closed"
            : "the acquired characteristic has ended (\(reason)); connect and acquire it again"
        self.init(kind, text: text)
    }
}

/// The sockets of the acquired characteristics, by number.
struct AcquiredSockets {
    private(set) var sockets: [UInt64: AcquiredSocket] = [:]
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { sockets.isEmpty }

    subscript(number: UInt64) -> AcquiredSocket? { sockets[number] }

    /// Adds a socket; returns its number.
    mutating func add(_ socket: AcquiredSocket) -> UInt64 {
        lastNumber += 1
        sockets[lastNumber] = socket
        return lastNumber
    }

    mutating func remove(_ number: UInt64) -> AcquiredSocket? { sockets.removeValue(forKey: number) }
}
