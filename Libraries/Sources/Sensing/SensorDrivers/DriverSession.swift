import BlueZ
import EventLoops
import VitalDecoders
import Vitals

/// Connects to one peripheral of a `BluetoothCentral`, and has a driver's conversation with it on that link.
///
/// Bedside's own supervisor does more: it reconnects, pairs, records and judges silence. This is for a program that
/// only wants the driver's reports, and for the tests of a driver.
public actor DriverSession {
    private nonisolated let loop: EventLoop
    private let address: BluetoothAddress
    private let central: BluetoothCentral
    private let report: @Sendable (DriverAction) -> Void
    private var conversation: Conversation
    private var attributes: [BluetoothUUID: CharacteristicReference] = [:]
    private var timer: LoopTimer?
    private var end: DriverEnd?
    private var waiting: CheckedContinuation<Void, Never>?

    /// How long a request may take.
    private static let limit = Duration.seconds(35)

    /// Runs this actor on the loop of its central.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(
        _ driver: any SensorDriver.Type, with address: BluetoothAddress, of central: BluetoothCentral,
        _ context: DriverContext, _ report: @escaping @Sendable (DriverAction) -> Void
    ) {
        (self.address, self.central, self.report) = (address, central, report)
        loop = central.loop
        conversation = Conversation(driver.init(context), patience: driver.patience)
    }

    /// Connects, converses until the conversation or the link ends or the task is cancelled, and disconnects.
    ///
    /// - Parameters:
    ///   - driver: The type of the driver; one is created for this link.
    ///   - address: The peripheral; it must be in the daemon's list.
    ///   - central: The client of BlueZ, which the caller starts and stops.
    ///   - context: Facts for the driver from outside the link.
    ///   - report: Called for each report of the driver, in order and on the central's loop; it must not wait.
    /// - Returns: How it ended.
    /// - Throws: `BlueZError` if the peripheral cannot be connected.
    public static func run(
        _ driver: any SensorDriver.Type, with address: BluetoothAddress, of central: BluetoothCentral,
        _ context: DriverContext, report: @escaping @Sendable (DriverAction) -> Void
    ) async throws(BlueZError) -> DriverEnd {
        let session = DriverSession(driver, with: address, of: central, context, report)
        return try await session.run()
    }

    private func run() async throws(BlueZError) -> DriverEnd {
        let services = try await central.connectAndResolve(address)
        let delivery = await central.events().deliver(to: self, on: loop) { $0.receive($1) }
        let offered = services.flatMap(\.characteristics)
        for characteristic in offered where attributes[characteristic.uuid] == nil {
            attributes[characteristic.uuid] = characteristic.reference
        }
        handle(.connected(offered.map { DriverAttribute($0) }))
        await withTaskCancellationHandler {
            // Else it is resumed through the thread pool.
            await withTaskExecutorPreference(loop) {
                await withCheckedContinuation { continuation in
                    if end == nil, !Task.isCancelled { waiting = continuation } else { continuation.resume() }
                }
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.finish(.cancelled) }
        }
        withExtendedLifetime(delivery) {}
        setTimer(nil)
        if end != .linkLost { for request in conversation.farewell() { _ = await answer(to: request) } }
        for effect in conversation.end(at: .now()) { perform(effect) }
        // A failure means that there is no link.
        if end != .linkLost { try? await central.disconnect(address) }
        return end ?? .cancelled
    }

    private func finish(_ end: DriverEnd) {
        if self.end == nil { self.end = end }
        waiting?.resume()
        waiting = nil
    }

    // MARK: What happens

    private func receive(_ event: BlueZEvent) {
        switch event.kind {
        case .notification(let characteristic, let octets)
        where characteristic.peripheral == address && conversation.listens(to: characteristic.uuid):
            handle(.received(octets, from: characteristic.uuid))
        case .disconnected(let peripheral) where peripheral.address == address: finish(.linkLost)
        default: break
        }
    }

    private func handle(_ event: Conversation.Event) {
        if end != nil { return }
        for effect in conversation.handle(event, at: .now()) { perform(effect) }
    }

    private func perform(_ effect: Conversation.Effect) {
        switch effect {
        case .perform(let request, let number):
            Task(executorPreference: loop) { await self.ask(request, number: number) }
        case .setTimer(let due): setTimer(due)
        case .report(let action): report(action)
        case .changed(let state): if let end = DriverEnd(state) { finish(end) }
        }
    }

    private func setTimer(_ due: MonotonicTime?) {
        if let timer { loop.cancel(timer) }
        timer = due.map { due in
            loop.schedule(at: due.nanoseconds) { [weak self] in self?.assumeIsolated { $0.handle(.timerFired) } }
        }
    }

    // MARK: Requests

    private func ask(_ request: DriverRequest, number: Int) async {
        let answer = await answer(to: request)
        handle(.answered(number: number, answer))
    }

    private func answer(to request: DriverRequest) async -> Conversation.Answer {
        guard let reference = attributes[request.uuid] else { return .failure(wantsPairing: false) }
        do throws(BlueZError) {
            switch request.kind {
            case .subscribe: try await central.startNotify(reference, timeout: Self.limit)
            case .read: return .success(try await central.read(reference, timeout: Self.limit))
            case .write(let octets):
                try await central.write(octets, to: reference, .withResponse, timeout: Self.limit)
            case .writeWithoutResponse(let octets):
                try await central.write(octets, to: reference, .withoutResponse, timeout: Self.limit)
            }
            return .success([])
        } catch {
            return .failure(wantsPairing: error.wantsPairing)
        }
    }
}

/// How a conversation on one link has ended.
public enum DriverEnd: Hashable, Sendable {
    /// Everything was transferred.
    case finished
    /// The sensor lacks a required characteristic, or refused a request.
    case requestRefused(DriverRequest)
    /// The sensor did not answer, or did not send the wanted data in time.
    case silent
    /// It must be paired first, for a reason, a sentence.
    case pairingNeeded(String)
    /// The sensor cannot be used, for a reason, a sentence.
    case refused(String)
    /// The link was lost.
    case linkLost
    /// The task was cancelled.
    case cancelled

    /// The end of a conversation; `nil` for one that goes on.
    fileprivate init?(_ state: Conversation.State) {
        switch state {
        case .opening, .conversing, .streaming: return nil
        case .finished: self = .finished
        case .failed(.refusedRequest(let request)): self = .requestRefused(request)
        case .failed(.silence): self = .silent
        case .failed(.pairing(let reason)): self = .pairingNeeded(reason)
        case .refused(let reason): self = .refused(reason)
        }
    }
}

extension DriverAttribute {
    /// A characteristic as BlueZ describes it.
    public init(_ characteristic: Characteristic) {
        self.init(
            uuid: characteristic.uuid, isNotifying: !characteristic.flags.isDisjoint(with: [.notify, .indicate]),
            isReadable: characteristic.flags.contains(.read), isWritable: characteristic.flags.contains(.write),
            isWritableWithoutResponse: characteristic.flags.contains(.writeWithoutResponse))
    }
}
