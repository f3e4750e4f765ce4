import DBus
import EventLoops

// AcquireNotify and AcquireWrite (`src/gatt-client.c` of BlueZ 5.66): values go through a socket.
extension Device {
    func acquireNotify(_ characteristic: RemoteCharacteristic, _ call: IncomingCall, _ answer: Answer) {
        guard isConnected else { return answer.fail(.notConnected) }
        if characteristic.notifications != .free { return answer.fail(.notPermitted("Notify acquired")) }
        guard characteristic.clients.isEmpty else { return answer.fail(.notifyInProgress) }
        guard characteristic.definition.flags.contains(.notify) else { return answer.fail(.notSupported) }
        if holdUntilPaired(characteristic, answer, { $0.acquireNotify(characteristic, call, answer) }) { return }
        characteristic.notifications = .requested
        operate(for: 0.05, answer) { device in
            device.acquire(characteristic, \.notifications, answer)
            if characteristic.notifications != .free { device.arm(characteristic) }
        }
    }

    func acquireWrite(_ characteristic: RemoteCharacteristic, _ call: IncomingCall, _ answer: Answer) {
        guard isConnected else { return answer.fail(.notConnected) }
        if characteristic.writes != .free { return answer.fail(.notPermitted("Write acquired")) }
        guard characteristic.definition.flags.contains(.writeWithoutResponse) else { return answer.fail(.notSupported) }
        acquire(characteristic, \.writes, answer)
    }

    /// Makes a socket, reports that, and answers with the client's end.
    private func acquire(
        _ characteristic: RemoteCharacteristic,
        _ acquisition: ReferenceWritableKeyPath<RemoteCharacteristic, Acquisition>,
        _ answer: Answer
    ) {
        guard let (own, theirs) = try? DBusFileDescriptor.packetSockets() else {
            characteristic[keyPath: acquisition] = .free
            return answer.fail(.failed("Too many open files"))
        }
        let socket = SimulatedSocket(own, on: world.clock.loop) { [weak self, weak characteristic] packet in
            guard let self, let characteristic else { return }
            if let packet {
                // Nobody would hear of a refusal.
                _ = self.carryOut(packet, writtenTo: characteristic)
            } else {
                self.release(characteristic, acquisition)
            }
        }
        characteristic[keyPath: acquisition] = .acquired(socket)
        reportAcquisition(characteristic, acquisition, true)
        answer.succeed([.unixFileDescriptor(theirs), .uint16(Self.transferUnit)])
    }

    /// Closes a socket, because its client has done so or the link has ended.
    func release(
        _ characteristic: RemoteCharacteristic,
        _ acquisition: ReferenceWritableKeyPath<RemoteCharacteristic, Acquisition>
    ) {
        guard case .acquired(let socket) = characteristic[keyPath: acquisition] else {
            characteristic[keyPath: acquisition] = .free
            return
        }
        socket.close()
        characteristic[keyPath: acquisition] = .free
        reportAcquisition(characteristic, acquisition, false)
        if acquisition == \RemoteCharacteristic.notifications { disarm(characteristic) }
    }

    private func reportAcquisition(
        _ characteristic: RemoteCharacteristic, _ acquisition: KeyPath<RemoteCharacteristic, Acquisition>,
        _ isAcquired: Bool
    ) {
        let name = acquisition == \RemoteCharacteristic.notifications ? "NotifyAcquired" : "WriteAcquired"
        world.tree.change(characteristic.path, RemoteCharacteristic.interface, [(name, .boolean(isAcquired))])
    }

    /// Closes the sockets of all characteristics, because the link has ended.
    func releaseSockets() {
        for characteristic in characteristics {
            release(characteristic, \.notifications)
            release(characteristic, \.writes)
        }
    }

    /// Closes the sockets of all characteristics without a signal.
    func closeSockets() {
        for characteristic in characteristics { characteristic.closeSockets() }
    }
}

extension RemoteCharacteristic {
    /// Closes its sockets without a signal.
    func closeSockets() {
        for case .acquired(let socket) in [notifications, writes] { socket.close() }
        notifications = .free
        writes = .free
    }
}

/// Whether a client has acquired one direction of a characteristic.
enum Acquisition: Equatable {
    case free
    /// The sensor has not answered yet.
    case requested
    case acquired(SimulatedSocket)

    static func == (lhs: Acquisition, rhs: Acquisition) -> Bool {
        switch (lhs, rhs) {
        case (.free, .free), (.requested, .requested): true
        case (.acquired(let left), .acquired(let right)): left === right
        default: false
        }
    }
}

/// The daemon's end of a socket that a client has acquired; used on the loop only.
final class SimulatedSocket {
    private let descriptor: DBusFileDescriptor
    private let loop: EventLoop
    private var watch: DescriptorWatch?

    /// - Parameter receive: Called with each packet of the client, and with `nil` when the client has closed its end.
    init(_ descriptor: DBusFileDescriptor, on loop: EventLoop, _ receive: @escaping ([UInt8]?) -> Void) {
        self.descriptor = descriptor
        self.loop = loop
        watch = loop.watch(descriptor.number, for: .readable) { [weak self] _ in
            // The same limit as bluetoothd's; one packet in a turn, as there.
            switch self?.descriptor.receivePacket(atMost: 512) {
            case .packet(let octets): receive(octets)
            case .end: receive(nil)
            case .tooLong, .nothing, nil: break
            }
        }
    }

    deinit {
        close()
    }

    /// Sends a value; what the socket cannot hold is dropped, as by bluetoothd.
    func send(_ octets: [UInt8]) { _ = descriptor.sendPacket(octets) }

    /// Ends the watch; the descriptor is closed with this object.
    func close() {
        if let watch { loop.unwatch(watch) }
        watch = nil
    }
}
