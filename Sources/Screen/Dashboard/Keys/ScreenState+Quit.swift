import Monitoring
import Vitals

// Quitting asks only if it ends something.
extension ScreenState {
    /// Ends the program, or asks first.
    mutating func quit(in state: MonitorState) -> ScreenWish? {
        let losses = losses(in: state)
        guard !losses.isEmpty else { return .quit }
        dialogs.ask(
            .choice(Choice("Quit anyway?", ifYes: .quit)),
            losses.joined(separator: " "))
        return nil
    }

    /// Suspends the program on Ctrl-Z, or asks first, because a suspended monitor does not monitor.
    ///
    /// - Returns: ``ScreenWish/stop`` if nothing is lost: in a view, a replay, and while no patient is monitored. Simulated
    ///   sensors have no patient, but for their alarms the same question is asked as when quitting.
    public mutating func stopWanted(in state: MonitorState) -> ScreenWish? {
        if session.viewedMonitor != nil || session.replay != nil { return .stop }
        let wantedCount = session.isSimulated ? 0 : state.sensors.count(where: \.isWanted)
        let alarmCount = ongoingAlarmCount(in: state)
        guard wantedCount + alarmCount > 0 else { return .stop }
        let alarms = alarmCount > 0 ? "; \(Self.stillActive(alarmCount))" : ""
        dialogs.ask(
            .choice(Choice("Stop Bedside anyway?", ifYes: .stop)),
            "A stopped Bedside measures nothing, records nothing and gives no alarm until fg\(alarms).")
        return nil
    }

    /// The number of active alarms about the patient or a sensor; one about this computer alone ends without loss.
    private func ongoingAlarmCount(in state: MonitorState) -> Int {
        state.shownAlarms.count { ($0.alarmClass == .physiological || $0.sensor != nil) && $0.phase != .ended }
    }

    /// Asks whether to monitor here, because there is no other monitor.
    public mutating func offerToMonitor() {
        dialogs.ask(
            .choice(Choice("No monitor runs. Monitor here from now on?", ifYes: .takeOver)),
            "Then this screen keeps the sensors connected; alarms are raised here, and end when you quit.")
    }

    /// The number of ongoing alarms: "1 alarm is still active".
    private static func stillActive(_ count: Int) -> String {
        "\(Scene.count(count, "alarm")) \(count == 1 ? "is" : "are") still active"
    }

    /// What quitting now would end or lose, in sentences.
    private func losses(in state: MonitorState) -> [String] {
        var losses: [String] = []
        if settings.unkeptCount > 0 {
            let count = settings.unkeptCount
            losses.append("\(Scene.count(count, "changed setting")) \(count == 1 ? "is" : "are") not kept.")
        }
        // All other consequences concern the monitor, which continues, or a recording.
        if session.viewedMonitor != nil || session.replay != nil { return losses }
        let alarms = ongoingAlarmCount(in: state)
        if alarms > 0 { losses.append("\(Self.stillActive(alarms)).") }
        let wanted = state.sensors.filter(\.isWanted)
        let linkedCount = wanted.count(where: \.isConnected)
        if linkedCount > 0 {
            losses.append("\(Scene.count(linkedCount, "sensor")) \(linkedCount == 1 ? "is" : "are") connected.")
        }
        if wanted.count > linkedCount { losses.append("\(wanted.count - linkedCount) being connected.") }
        if state.sensors.contains(where: { $0.pairing?.isUnderWay == true }) {
            losses.append("A pairing is under way.")
        }
        switch state.environment.storage {
        case .working, .nearlyFull, .incomplete: break
        case .full, .failed: losses.append("Part of the alarm log is not written yet.")
        }
        return losses
    }
}

extension PairingState {
    /// Whether it asks whether a passkey is correct.
    var isConfirmation: Bool { if case .confirmPasskey = self { true } else { false } }

    /// Whether it has begun and not ended.
    var isUnderWay: Bool {
        switch self {
        case .needed, .succeeded, .failed: false
        case .started, .passkey, .pinCode, .passkeyWanted, .pinCodeWanted, .confirmPasskey, .authorize: true
        }
    }
}
