import BlueZ
import VitalDecoders
import Vitals

// Sends CORE sensors the heart rate of a strap, if the user wants that.
extension SensorSupervisor {
    /// Sets whether CORE sensors get the heart rate; call it before ``start()``.
    public func forwardHeartRate(_ isWanted: Bool) { forwarder = isWanted ? HeartRateForwarder() : nil }

    /// Begins with a CORE whose services are known.
    func beginForwarding(to session: SensorSession, having offered: [Characteristic], at moment: Moment) {
        guard session.identity.kind == .core,
            let point = offered.first(where: { $0.uuid == CharacteristicType.coreControlPoint.uuid }),
            point.flags.contains(.write), point.flags.contains(.indicate)
        else { return }
        forward(.found(point.reference), at: moment)
    }

    /// Handles a strap's reading, and each value of a CORE, for the forwarder.
    func considerForwarding(_ reading: Reading, from session: SensorSession) {
        guard reading.late == nil else { return }
        if session.identity.kind == .core { return forward(.tick(session.address), at: reading.moment) }
        guard session.identity.kind == .heartRateStrap, reading.vital == .heartRate else { return }
        var rate: UInt8?
        if case .measured(let value, .good) = reading.outcome {
            rate = UInt8(exactly: value.hundredths / 100).flatMap { $0 > 0 ? $0 : nil }
        }
        forward(.measured(rate, by: session.address), at: reading.moment)
    }

    /// Passes an event to the forwarder, and performs its actions.
    func forward(_ event: HeartRateForwarder.Event, at moment: Moment) {
        guard let actions = forwarder?.handle(event, at: moment.monotonic) else { return }
        for action in actions {
            switch action {
            case .subscribe(let reference, let number):
                finish(reference, number) { try await $0.startNotify(reference, timeout: Self.limit) }
            case .write(let octets, let reference, let number):
                finish(reference, number) {
                    try await $0.write(octets, to: reference, .withResponse, timeout: Self.limit)
                }
            case .refused(let reference, let sentence):
                guard let name = sessions[reference.peripheral]?.identity.name else { break }
                notices.send("\(name) \(sentence)")
            }
        }
    }

    private func finish(
        _ reference: CharacteristicReference, _ number: Int,
        _ perform: @escaping @Sendable (any Central) async throws -> Void
    ) {
        let central = central
        Task(executorPreference: loop) {
            var succeeded = true
            do { try await perform(central) } catch { succeeded = false }
            await self.forward(.finished(reference, number: number, succeeded: succeeded), at: .now())
        }
    }
}
