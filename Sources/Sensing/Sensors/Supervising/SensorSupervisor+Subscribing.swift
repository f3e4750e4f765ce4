import BlueZ
import KnownSensors
import VitalDecoders
import Vitals

// Subscribes to a sensor's characteristics, then reads those that are read once.
extension SensorSupervisor {
    /// The time limit of one subscription or read.
    static let limit = Duration.seconds(10)

    func subscribe(_ session: SensorSession) {
        session.link.countSubscription()
        let (address, link) = (session.address, session.link.number)
        Task(executorPreference: loop) { await self.subscribeAndRead(address, on: link) }
    }

    /// Ends the subscriptions and subscribes again, because of silence without an error.
    func rearm(_ session: SensorSession) {
        // A silent conversation is started again.
        if session.conversation != nil, session.besideWork == nil { return subscribe(session) }
        let (references, link) = (session.link.subscribed, session.link.number)
        let address = session.address
        Task(executorPreference: loop) { await self.rearm(references, of: address, on: link) }
    }

    private func rearm(_ references: [CharacteristicReference], of address: BluetoothAddress, on link: Int) async {
        var hasFailed = false
        for reference in references {
            // What is not ended is begun anew all the same.
            try? await central.stopNotify(reference, timeout: Self.limit)
            guard let session = sessions[address], session.link.number == link, session.link.subscribed == references
            else {
                return
            }
            do throws(BlueZError) {
                try await central.startNotify(reference, timeout: Self.limit)
            } catch {
                hasFailed = true
            }
        }
        guard hasFailed, let session = sessions[address], session.link.number == link else { return }
        send(.rearmFailed, to: session, at: .now())
    }

    func subscribeAndRead(_ address: BluetoothAddress, on link: Int) async {
        guard let session = sessions[address] else { return }
        let number = session.link.subscriptionNumber
        let offered = await central.services(of: address, on: session.adapter).flatMap(\.characteristics)
        if let driver = session.declaration?.driver {
            return converse(driver, with: session, having: offered)
        }
        var known: [(ReadCharacteristic, Characteristic)] = []
        for characteristic in offered {
            guard let kind = ReadCharacteristic(uuid: characteristic.uuid) else { continue }
            known.append((kind, characteristic))
        }
        let failure = await subscribe(known, for: session, on: link)
        guard session.link.number == link, session.link.subscriptionNumber == number else { return }
        send(.subscribed(failure), to: session, at: .now())
        guard failure == nil else { return }
        beginForwarding(to: session, having: offered, at: .now())
        await readOnce(known, of: session, on: link)
        guard session.link.number == link, session.link.subscriptionNumber == number else { return }
        afterOtherWork(onWavesOf: session) { await $0.converseBeside(address, on: link) }
    }

    /// Subscribes to everything that makes readings; returns why no subscription succeeded.
    ///
    /// One subscription is enough: partial data are better than none.
    private func subscribe(
        _ known: [(ReadCharacteristic, Characteristic)], for session: SensorSession, on link: Int
    ) async -> ConnectFailure? {
        // Notify or indicate, whichever it has. Quirk core-notifies: CORE's 2A1C notifies, though the service specifies
        // indications.
        var wanted = known.filter {
            SupportedSensors.subscribed.contains($0.0) && !$0.1.flags.isDisjoint(with: [.notify, .indicate])
        }
        // Quirk core-twice: CORE's own characteristic first, so that the other one is recognised as the duplicate.
        if let core = wanted.firstIndex(where: { $0.0 == .coreBodyTemperature }) { wanted.swapAt(0, core) }
        var failure: ConnectFailure? = SupportedSensors.isRead(session.identity.kind) ? .noServices : nil
        session.link.forgetSubscribed()
        for (kind, characteristic) in wanted {
            guard session.link.number == link else { return nil }
            do throws(BlueZError) {
                try await central.startNotify(characteristic.reference, timeout: Self.limit)
                session.link.addSubscribed(characteristic.reference)
                if kind == .coreBodyTemperature { session.maker.expectCoreValues(from: .now()) }
            } catch {
                failure = ConnectFailure(error)
                recordRefusal(error, of: session)
            }
        }
        return session.link.subscribed.isEmpty ? failure : nil
    }

    /// Sets how often a thermometer measures, and reports what it then announces.
    ///
    /// - Parameters:
    ///   - address: The sensor; one that does not announce its interval is refused, with a sentence.
    ///   - seconds: From one measurement to the next; 0 for on request only.
    func setInterval(of address: String, to seconds: Int) async {
        guard let address = BluetoothAddress(address), let session = sessions[address],
            let interval = UInt16(exactly: seconds)
        else { return }
        let offered = await central.services(of: address, on: session.adapter).flatMap(\.characteristics)
        let name = session.identity.name
        guard
            let found = offered.first(where: { ReadCharacteristic(uuid: $0.uuid) == .measurementInterval }),
            found.flags.contains(.write), session.machine.isWanted
        else { return notices.send("\(name): its interval cannot be set, or the link is gone. Nothing was done.") }
        do throws(BlueZError) {
            try await central.write(
                MeasurementInterval(seconds: interval).octets, to: found.reference, .withResponse, timeout: Self.limit)
            let octets = try await central.read(found.reference, timeout: Self.limit)
            interpret(octets, of: .measurementInterval, found.reference, from: session, at: .now())
        } catch {
            notices.send("\(name) does not take \(seconds) s; perhaps that is out of its range. \(error)")
        }
    }

    /// Reads values that do not change during a connection; refused reads are ignored.
    func readOnce(
        _ known: [(ReadCharacteristic, Characteristic)], of session: SensorSession, on link: Int
    ) async {
        for kind in SupportedSensors.readOnce {
            guard let characteristic = known.first(where: { $0.0 == kind })?.1,
                characteristic.flags.contains(.read),
                // Quirk battery-is-claimed: BlueZ reads it itself, and reports the level as the peripheral's.
                kind != .batteryLevel || session.link.batteryPercent == nil
            else { continue }
            guard let octets = try? await central.read(characteristic.reference, timeout: Self.limit),
                session.link.number == link, session.machine.isWanted
            else {
                if session.link.number != link { return }
                continue
            }
            if kind == .batteryLevel, session.link.batteryPercent != nil { continue }
            if kind == .measurementInterval {
                session.maker.isIntervalSettable = characteristic.flags.contains(.write)
            }
            interpret(octets, of: kind, characteristic.reference, from: session, at: .now())
        }
    }
}
