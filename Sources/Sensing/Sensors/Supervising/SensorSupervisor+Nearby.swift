import BlueZ
import VitalDecoders
import Vitals

// The list of peripherals in range.
extension SensorSupervisor {
    /// Reports a heard peripheral: at once if it is new or has changed, else at most once a second.
    func showNearby(_ session: SensorSession, _ peripheral: Peripheral, isNews: Bool, at moment: Moment) {
        if isNews { keepMemoryTrue(of: session, at: moment) }
        session.takeBeacon(peripheral)
        reportAdvertised(peripheral, session, at: moment)
        switch session.signal.hear(peripheral, isNews: isNews, at: moment) {
        case .now: reportNearby(session, at: moment)
        case .later(let due): scheduleNearby(due)
        case .none: break
        }
    }

    private func reportNearby(_ session: SensorSession, at moment: Moment) {
        session.signal.recordReport(at: moment)
        report(session.nearby(at: moment), at: moment)
        if let beacon = session.beacon, session.signal.strength(at: moment) != nil {
            report(.beacon(session.identity, bodyTemperature: beacon), at: moment)
        }
    }

    /// Reports that a peripheral is no longer heard, if it was.
    func forgetNearby(_ session: SensorSession, at moment: Moment) {
        guard session.signal.forget() else { return }
        reportPlaces(places.lose(session.address), at: moment)
        report(.gone(session.identity), at: moment)
    }

    /// Schedules the one timer that serves all peripherals.
    private func scheduleNearby(_ due: Moment) {
        guard nearbyTimer == nil else { return }
        nearbyTimer = loop.schedule(at: due.monotonicNanoseconds) { [weak self] in
            self?.assumeIsolated { $0.reportDueNearby() }
        }
    }

    private func reportDueNearby() {
        nearbyTimer = nil
        let now = Moment.now()
        var next: Moment?
        for session in sessions.values {
            guard let due = session.signal.due else { continue }
            if due <= now {
                reportNearby(session, at: now)
            } else {
                next = next.map { min($0, due) } ?? due
            }
        }
        if let next { scheduleNearby(next) }
    }
}

extension SensorSession {
    /// Handles the temperature that an unconnected CORE advertises.
    ///
    /// A CORE is recognised by its services or its name; captures exist with another company identifier than the
    /// maker's.
    func takeBeacon(_ peripheral: Peripheral) {
        guard identity.kind == .core, !peripheral.isConnected else {
            beacon = nil
            return
        }
        beacon = peripheral.manufacturerData[CompanyIdentifier.greenTEG].flatMap { octets in
            guard let temperature = try? CoreAdvertisement(octets).coreTemperature,
                let hundredths = temperature.rounded(toExponent: -2)
            else { return nil }
            let value = VitalValue(hundredths: Int(hundredths))
            return Vital.bodyTemperature.isMeasurable(value) ? value : nil
        }
    }

    /// The report of a heard peripheral; without its signal strength if that is old.
    func nearby(at moment: Moment) -> MonitorEvent.Kind {
        .nearby(identity, signalStrength: signal.strength(at: moment), services: services.map(\.description))
    }
}

/// Passes on at most one new signal strength of a peripheral per second, and always the newest one in the end.
///
/// Only signal strengths are reduced: users do not need more, and a hundred peripherals advertise many times a second.
/// Measurements never pass through here.
struct SignalStrengthThrottle: Sendable {
    /// The decision about a new signal strength.
    enum Decision: Hashable, Sendable {
        /// Report it now.
        case report
        /// Hold it, and report the newest at a moment.
        case reportAt(Moment)
        /// A moment for reporting the newest is set already.
        case keep
    }

    /// The shortest time between two reports.
    static let interval = Duration.seconds(1)

    /// After this time an unchanged signal strength is reported again.
    static let reassurance = Duration.seconds(5)

    private var lastReported: Moment?
    private var isDue = false

    /// Decides about a new signal strength.
    mutating func decide(at moment: Moment) -> Decision {
        if isDue { return .keep }
        if let lastReported, moment.since(lastReported) < Self.interval {
            isDue = true
            return .reportAt(lastReported.advanced(by: Self.interval))
        }
        lastReported = moment
        return .report
    }

    /// Whether the last report is so old that the peripheral may seem to be gone.
    func isOld(at moment: Moment) -> Bool {
        lastReported.map { moment.since($0) >= Self.reassurance } ?? true
    }

    /// Records that the newest was reported, for any reason.
    mutating func reported(at moment: Moment) {
        lastReported = moment
        isDue = false
    }
}
