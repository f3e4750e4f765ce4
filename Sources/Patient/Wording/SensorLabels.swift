import Base
import Monitoring
import Vitals

/// A sensor's row as text.
package struct SensorLabels {
    /// The mark of the row.
    package enum Mark {
        case streaming, underWay, trouble, idle
    }

    package var mark: Mark
    /// The state, the most important first; what does not fit is left out from the end.
    package var phrases: [String]

    /// Finds the text for a sensor.
    package init(_ sensor: borrowing SensorState, time: TimeText) {
        (mark, phrases) = Self.connection(of: sensor, time: time)
        if sensor.needsPairing {
            mark = .trouble
            phrases.insert("wants to be paired: B", at: 0)
        }
        if sensor.transmitter?.newSensor?.isOpen == true {
            mark = .trouble
            phrases.insert(Self.newSensor, at: 0)
        }
        if let nights = sensor.nights.flatMap({ NightLabels.phrase($0) }) { phrases.append(nights) }
        let drops = Self.drops(of: sensor, at: time.now)
        if !drops.isEmpty { phrases.insert(drops, at: min(1, phrases.count)) }
        if sensor.sendsCopies { phrases.append(Self.copies) }
        if sensor.malformedCount > 0 { phrases.append("\(sensor.malformedCount) malformed") }
    }

    /// Why a sensor wants to be paired, or what a pairing takes away; `nil` where neither is known.
    ///
    /// A sensor's own text comes first. A transmitter of glucose may serve only one app, which cannot be known before.
    package static func pairingWarning(of sensor: borrowing SensorState) -> String? {
        if case .needed(let reason)? = sensor.pairing { return sanitized(reason, limit: 200) }
        guard sensor.identity.kind == .continuousGlucose else { return nil }
        return "A transmitter may serve one app only: paired with this computer, it sends nothing more to the phone's."
    }

    /// The text for a transmitter that has detected a new sensor.
    package static let newSensor = "on a new sensor, accept it? B"

    /// The text for a sensor whose values come several times each.
    package static let copies = "values come several times: other programs listen"

    /// How often the link was lost within the last hour: "lost 3x in 1 h"; empty when it was not.
    package static func drops(of sensor: SensorState, at now: Moment) -> String {
        let count = sensor.dropsInLastHour(at: now)
        return count == 0 ? "" : count == 1 ? "lost once in 1 h" : "lost \(count)x in 1 h"
    }

    private static func connection(of sensor: SensorState, time: TimeText) -> (Mark, [String]) {
        guard let connection = sensor.connection else { return idle(sensor, nil, time: time) }
        if connection.isForeign {
            return sensor.isLinkedByOthers
                ? (.idle, ["connected by another program", "Enter shares it"]) : idle(sensor, nil, time: time)
        }
        switch connection.phase {
        case .connecting:
            let attempt = connection.attempt ?? 1
            return (.underWay, [attempt > 1 ? "connecting (\(ordinal(attempt)) try)" : "connecting"])
        case .connected:
            return (.underWay, ["connected", "preparing"])
        case .ready where connection.hint == .silent:
            return (.trouble, ["sends nothing", "check it, or disconnect and connect it"])
        case .ready where sensor.identity.kind.isEpisodic: return (.streaming, ["connected", "ready to measure"])
        case .ready:
            if sensor.isAwaitingValue, connection.hint(for: sensor.identity.kind) == .notRead {
                return (.idle, ["connected", notRead])
            }
            if let banner = sensor.banner { return (.trouble, [banner.absence.reason.shortText, "connected"]) }
            let late = late(sensor, time: time)
            return sensor.isAwaitingValue
                ? (.underWay, ["connected", late ?? "waiting for a value"])
                : (.streaming, ["connected"] + [late].compactMap { $0 })
        case .waiting where connection.reason == .asleep: return (.idle, [asleep])
        case .waiting where awaitsBluetooth(connection):
            return (.trouble, [waitingForBluetooth] + earlier(sensor, time: time))
        case .waiting where isNotHeardYet(connection):
            let advice = phrases(for: connection.reason).dropFirst()
            return (.trouble, [waitingToBeHeard] + earlier(sensor, time: time) + advice)
        case .waiting:
            var parts: [String] = []
            if let attempt = connection.attempt { parts.append("\(ordinal(attempt)) try") }
            if let retryAt = connection.retryAt { parts.append("in \(time.until(retryAt))") }
            let detail = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
            let why = connection.hint == .inUse ? ["in use by another device?"] : phrases(for: connection.reason)
            return (.trouble, [(sensor.wasConnected ? "reconnecting" : "connecting") + detail] + why)
        case .disconnected:
            if let detail = connection.detail { return (.trouble, ["not used", sanitized(detail, limit: 120)]) }
            return idle(sensor, connection.reason, time: time)
        }
    }

    /// The time of the last late values, unless current values came with them or afterwards: "late values of
    /// 03:10–03:20".
    private static func late(_ sensor: SensorState, time: TimeText) -> String? {
        let series = sensor.vitals.compactMap(\.late).filter { series in
            sensor.lastReading.map { $0 < series.arrived } ?? true
        }
        guard let from = series.map(\.from).min(), let to = series.map(\.to).max() else { return nil }
        let isOneTime = time.point(from, isExact: false) == time.point(to, isExact: false)
        return "late values of "
            + (isOneTime ? time.point(from, isExact: false) : time.range(from: from, to: to, dash: "–"))
    }

    /// The text for a wanted sensor without bus, service or adapter.
    package static let waitingForBluetooth = "waiting for Bluetooth"

    /// Whether no sensor can be connected at present.
    package static func awaitsBluetooth(_ connection: ConnectionState) -> Bool {
        connection.phase == .waiting && connection.attempt == nil && connection.reason?.isOfThisComputer == true
    }

    /// The text for a sensor that sleeps until the next measurement.
    package static let asleep = "asleep until its next measurement"

    /// The text for how often a thermometer measures.
    package static func text(_ announced: AnnouncedInterval) -> String {
        announced.isOnRequest
            ? "measures on request only" : "measures every \(DurationText.text(.seconds(announced.seconds)))"
    }

    /// What a transmitter reports of itself: "firmware 0007", "hardware 1001".
    package static func versions(_ status: TransmitterStatus) -> [String] {
        [status.firmware.map { "firmware \($0)" }, status.hardware.map { "hardware \($0)" }].compactMap(\.self)
    }

    /// What a transmitter reports of the sensor that it is on: "serial 0M00009DHCR", "started 3 d 11 h before".
    package static func wornSensor(_ status: TransmitterStatus) -> [String] {
        let serial = status.sensorSerial.map { "serial \($0)" }
        let age = status.sensorMinutes.map { minutes in
            let (days, hours) = (minutes / 1440, minutes / 60 % 24)
            return "age " + (days > 0 ? "\(days) d \(hours) h" : hours > 0 ? "\(hours) h" : "\(minutes) min")
                + " when last read"
        }
        return [serial, age].compactMap(\.self)
    }

    /// What is to become of a new sensor; `nil` without one.
    package static func text(_ newSensor: TransmitterStatus.NewSensor?) -> String? {
        switch newSensor {
        case nil: nil
        case .asked: "waits to be accepted: B"
        case .declined: "not accepted: B asks again"
        case .refused: "not accepted, as sensors.new_glucose_sensor says"
        }
    }

    /// The text for a wanted sensor that is out of range.
    package static let waitingToBeHeard = "waiting to be heard"

    /// Whether no connection was attempted yet, because the sensor is out of range.
    package static func isNotHeardYet(_ connection: ConnectionState) -> Bool {
        connection.phase == .waiting && connection.reason == .removed && connection.attempt == 1
    }

    /// The text for a connected sensor of an unsupported kind.
    package static let notRead = "this kind is not read yet"

    private static func idle(
        _ sensor: SensorState, _ reason: ConnectionState.DisconnectReason?, time: TimeText
    ) -> (Mark, [String]) {
        let isFading = sensor.isFading(at: time.now)
        let place = sensor.isNearby ? isFading ? "not heard lately" : "nearby" : "not in range"
        let earlier = earlier(sensor, time: time)
        switch reason {
        // The date says that it is not in range.
        case nil: return (.idle, earlier.isEmpty ? [place] : earlier + [place])
        case .user: return (.idle, [sensor.isNearby ? place : "disconnected"])
        default: return (.trouble, ["disconnected"] + phrases(for: reason))
        }
    }

    /// What earlier runs have left about a sensor that was not heard in this one.
    private static func earlier(_ sensor: SensorState, time: TimeText) -> [String] {
        sensor.lastHeard == nil ? sensor.contact?.phrases(time) ?? [] : []
    }

    /// The reason for the end or failure of a connection, where there is something to add.
    package static func phrases(for reason: ConnectionState.DisconnectReason?) -> [String] {
        switch reason {
        case nil, .user, .unknown: []
        case .linkLost: ["link lost", "bring it nearer"]
        case .refused: ["refused"]
        case .timeout: ["no answer", "wake it up or wear it"]
        case .adapter: ["adapter went away"]
        case .daemon: ["Bluetooth service ended"]
        case .bus: ["message bus ended"]
        case .removed: ["not heard", "wake it up or wear it"]
        case .asleep: ["asleep", "measure with it"]
        }
    }

    /// A number as an English ordinal, such as "2nd".
    package static func ordinal(_ number: Int) -> String {
        let ending: String
        switch (number % 10, number % 100) {
        case (_, 11...13): ending = "th"
        case (1, _): ending = "st"
        case (2, _): ending = "nd"
        case (3, _): ending = "rd"
        default: ending = "th"
        }
        return "\(number)\(ending)"
    }
}

extension SensorContact {
    /// When it measured last, and its battery: "last value yesterday 22:10", "battery 54 %".
    package func phrases(_ time: TimeText) -> [String] {
        let measured = measurement.map { "last value \(time.dated($0.wallMilliseconds))" }
        let level = battery.map { battery in
            // Usually it was reported in the hours before the last value.
            let isOlder = measurement.map { $0.wallMilliseconds - battery.wallMilliseconds > Self.day } ?? true
            return "battery \(battery.percent) %" + (isOlder ? " \(time.dated(battery.wallMilliseconds))" : "")
        }
        return [measured, level].compactMap(\.self)
    }

    private static let day: Int64 = 86_400_000
}

extension ConnectionState.DisconnectReason {
    /// Whether the cause is this computer, rather than the air, the sensor or the user.
    fileprivate var isOfThisComputer: Bool {
        switch self {
        case .adapter, .daemon, .bus: true
        case .user, .linkLost, .refused, .timeout, .removed, .asleep, .unknown: false
        }
    }
}

extension SensorState {
    /// The sensor's vitals, in the shortest form; an arrow marks those whose large number comes from it.
    ///
    /// - Parameters:
    ///   - glyphs: The available characters.
    ///   - shown: The vitals whose large number comes from it.
    package func vitalsText(_ glyphs: GlyphSet, shown: [Vital] = []) -> String {
        guard !vitals.isEmpty else {
            switch identity.kind {
            case .heartRateStrap: return "HR"
            case .oximeter: return "\(glyphs.oxygenSaturation) PR"
            case .thermometer, .core: return "Temp"
            case .bloodPressure: return "BP"
            case .glucose, .continuousGlucose: return "Glucose"
            case .weightScale: return "Weight"
            case .other, .manual: return ""
            }
        }
        // A message that says little by itself gets the name of its vital.
        func named(_ vital: Vital) -> Vital {
            vital.traits.limits == nil ? vital.traits.role.principal ?? vital : vital
        }
        let measured = Set(vitals.map { named($0.vital) })
        let large = Set(shown.map(named))
        let order =
            Vital.allCases.filter { $0.traits.role == .main } + Vital.allCases.filter { $0.traits.role != .main }
        return order.filter(measured.contains).map { vital in
            (large.contains(vital) ? glyphs.feeds : "") + glyphs.fit(vital.shortText)
        }
        .joined(separator: " ")
    }
}

extension SensorKind {
    /// The name of this kind of sensor in a list.
    package var text: String {
        switch self {
        case .thermometer: "thermometer"
        case .core: "core temperature"
        case .heartRateStrap: "heart-rate strap"
        case .oximeter: "pulse oximeter"
        case .bloodPressure: "blood pressure"
        case .glucose: "glucose meter"
        case .continuousGlucose: "continuous glucose"
        case .weightScale: "weight scale"
        case .other: "other device"
        case .manual: "entered by hand"
        }
    }
}

/// The texts of a pairing: the state, the large digits, and the keys.
package struct PairingLabels {
    /// The state and the next step, in sentences.
    package var text: String
    /// The digits or the text in large; may be empty.
    package var large = ""
    /// What the keys do.
    package var keys: String

    /// Finds the text for a state of the pairing.
    ///
    /// - Parameters:
    ///   - pairing: The state.
    ///   - typed: The typed part of an answer.
    package init(_ pairing: PairingState, typed: String) {
        keys = "Esc cancel"
        switch pairing {
        case .needed(let reason): text = sanitized(reason, limit: 200)
        case .started: text = "Pairing. Keep the sensor near and awake."
        case .passkey(let digits, let entered):
            text = "Type these digits on the sensor" + (entered > 0 ? " (\(entered) of 6 typed)." : ".")
            large = sanitized(digits, limit: 6)
        case .pinCode(let code):
            text = "Type this on the sensor."
            large = sanitized(code, limit: 16)
        case .confirmPasskey(let digits):
            text = "Does the sensor show the same digits?"
            large = sanitized(digits, limit: 6)
            keys = "y yes  n no  Esc cancel"
        case .authorize:
            text = "Pair with this sensor? Nothing can be compared, so be sure that it is the one in front of you."
            keys = "y yes  n no  Esc cancel"
        case .passkeyWanted:
            text = "Type the six digits that the sensor shows."
            large = typed + String(repeating: "-", count: max(0, 6 - typed.utf8.count))
            keys = typed.utf8.count == 6 ? "Enter confirm  Esc cancel" : "0-9 type  Esc cancel"
        case .pinCodeWanted:
            text = "Type the code of the sensor; its manual or label shows it."
            large = typed
            keys = "Enter confirm  Esc cancel"
        case .succeeded:
            text = "The sensor is paired, and is being connected."
            keys = "Enter close"
        case .failed(let reason):
            text = sanitized(reason, limit: 300)
            keys = "Enter close"
        }
    }

    /// Whether all of ``large`` can be drawn in large digits.
    package var isDrawnLarge: Bool {
        !large.isEmpty && large.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
