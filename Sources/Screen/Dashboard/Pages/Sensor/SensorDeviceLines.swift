import Appearance
import Base
import Monitoring
import TextGrid
import VitalDecoders
import Vitals
import Wording

/// The first parts of the page of one sensor: its state, its maker's details, its connections.
struct SensorDeviceLines {
    let sensor: SensorState
    let scene: Scene
    /// The width of the page.
    let columns: Int
    private var glyphs: GlyphSet { scene.glyphs }

    /// The state of the sensor.
    var state: [SensorContent.Line] {
        let words = SensorLabels(sensor, time: scene.time)
        let isInTrouble = words.mark == .trouble
        var lines = [
            line("Kind", sensor.identity.kind.text), line("Address", sensor.identity.address),
        ]
        lines += sentences("State", words.phrases.joined(separator: glyphs.dot), isInTrouble ? .strong : .plain)
        // What a pairing takes away is known before the sensor is asked for anything.
        if sensor.needsPairing || !sensor.isWanted, let warning = SensorLabels.pairingWarning(of: sensor) {
            lines += sentences("Pairing", warning)
        }
        lines += [
            line("Signal", signal), line("Battery", sensor.battery.map { "\($0) %" } ?? "not reported"),
            line("Last heard", sensor.lastHeard.map { ago($0) } ?? neverHeard),
            line("Link lost", drops),
        ]
        if let contact = sensor.contact, sensor.lastReading == nil {
            let words = contact.phrases(scene.time) + [scene.lastValue(of: sensor)].compactMap(\.self)
            lines.append(line("Before", words.joined(separator: glyphs.dot)))
        }
        if let memory = sensor.memory, memory.label != nil { lines.insert(line("Its own name", memory.name), at: 0) }
        if let beacon = sensor.beacon(at: scene.now) {
            let words = [
                scene.temperature(beacon.bodyTemperature), ago(beacon.moment),
                "advertised, and not monitored: connect it",
            ]
            lines.append(line("Beacon", words.joined(separator: glyphs.dot)))
        }
        if let status = sensor.transmitter {
            lines += Self.transmitterRows(status).map { label, words in
                line(label, words.joined(separator: glyphs.dot), label == Self.newSensor ? .strong : .plain)
            }
        }
        if let nights = sensor.nights {
            lines += SensorNightLines(nights: nights, scene: scene, columns: columns).lines
        }
        if let calibration = scene.state.calibrationInUse(by: sensor) {
            let words = CalibrationLabels(scene.screen.units, scene.time).text(calibration)
            let key = scene.screen.keys.name(of: .pair)
            lines += sentences("Calibration", "\(words)\(glyphs.dot)\(key) calibrates it with a typed value")
        }
        if let announced = sensor.announcedInterval {
            let key = scene.screen.keys.name(of: .setInterval)
            let hint = announced.isSettable ? "\(glyphs.dot)\(key) changes it" : ""
            lines.append(line("Interval", SensorLabels.text(announced) + hint))
        }
        for refusal in scene.screen.waves.refusals[sensor.identity.address] ?? [] {
            lines += sentences("No wave", refusal)
        }
        if let heatStrain { lines.append(line("Heat strain", heatStrain)) }
        if let users { lines.append(line("Users", users)) }
        if let trace = scene.screen.session.trace, trace.address == sensor.identity.address {
            let key = scene.screen.keys.name(of: .trace)
            lines.append(line("Trace", "written to \(trace.path)\(glyphs.dot)\(key) ends it", .strong))
        }
        if sensor.malformedCount > 0 { lines.append(line("Malformed", malformed)) }
        return lines + vitals
    }

    /// Which of several persons is the patient, what waits for that, and how much of others was left out; `nil` for a
    /// device that is not known to have several.
    private var users: String? {
        let (known, address) = (scene.state.deviceUsers, sensor.identity.address)
        let chosen = scene.state.chosenUser(of: sensor.identity).map { "user \($0) is the patient" }
        let waiting = known.questions.first { $0.sensor.address == address }.map { question in
            "\(Scene.count(question.count, "value")) of users \(question.users.map { "\($0)" }.joined(separator: " and "))"
                + " \(question.count == 1 ? "waits" : "wait"): \(scene.screen.keys.name(of: .chooseUser)) says which one is the"
                + " patient"
        }
        let others = known.countOfOthers(address)
        let leftOut = others == 0 ? nil : "\(Scene.count(others, "value")) of other users left out"
        let words = [chosen, waiting, leftOut].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: glyphs.dot)
    }

    private static let newSensor = "New sensor"

    /// The lines about a transmitter that have something to say.
    private static func transmitterRows(_ status: TransmitterStatus) -> [(String, [String])] {
        [
            ("Transmitter", SensorLabels.versions(status)), ("On sensor", SensorLabels.wornSensor(status)),
            (newSensor, [SensorLabels.text(status.newSensor)].compactMap(\.self)),
        ].filter { !$0.1.isEmpty }
    }

    /// The maker's details.
    var information: [SensorContent.Line] {
        let found = Self.informationNames.compactMap { name, uuid in
            text(of: uuid).map { line(name, $0) }
        }
        return found.isEmpty ? [plain("Nothing is known of it. It is read once the sensor is connected.")] : found
    }

    /// What it advertises, as BlueZ reports it.
    var advertisement: [SensorContent.Line] {
        let data = scene.inspection(of: sensor)?.advertised ?? AdvertisedData()
        guard !data.isEmpty else { return [plain("BlueZ knows of nothing that it advertises.")] }
        return AdvertisementText.items(data).flatMap { item in
            sentences(item.label.prefix(1).uppercased() + item.label.dropFirst(), item.text)
        }
    }

    /// The history of its connections, the newest first.
    var history: [SensorContent.Line] {
        let entries = sensor.history.entries
        guard !entries.isEmpty else { return [plain("It was not connected since Bedside began.")] }
        return entries.reversed().map { entry in
            let (date, time) = scene.time.dateAndTime(entry.moment.wallMilliseconds)
            let isToday = date == scene.time.dateAndTime(scene.now.wallMilliseconds).date
            let words = entry.kind.text + (entry.count > 1 ? ", \(entry.count) times" : "")
            let since = entry.count > 1 ? " since \(scene.time.clock(entry.since))" : ""
            return line(isToday ? time : "\(date) \(time)", words + since, entry.kind.isBad ? .strong : .plain)
        }
    }

    private static let informationNames: [(String, BluetoothUUID)] = [
        ("Manufacturer", BluetoothUUID(0x2A29)), ("Model", BluetoothUUID(0x2A24)),
        ("Serial number", BluetoothUUID(0x2A25)), ("Hardware", BluetoothUUID(0x2A27)),
        ("Firmware", BluetoothUUID(0x2A26)), ("Software", BluetoothUUID(0x2A28)),
    ]

    private func text(of uuid: BluetoothUUID) -> String? {
        newest(of: uuid).flatMap { try? DeviceInformationText($0.octets).text }.map { sanitized($0, limit: 100) }
    }

    /// The newest value of a characteristic of the inspected sensor.
    private func newest(of uuid: BluetoothUUID) -> CharacteristicOctets? {
        guard let inspection = scene.inspection(of: sensor) else { return nil }
        return inspection.services.lazy.flatMap(\.characteristics).filter { $0.uuid == uuid.description }
            .compactMap { inspection.octets(of: $0) }.first
    }

    /// The heat strain index of a CORE with its zone, while values arrive; `nil` if it sends none.
    private var heatStrain: String? {
        guard let newest = newest(of: CharacteristicType.coreBodyTemperature.uuid),
            scene.now.since(newest.moment) <= Self.heatStrainLifetime,
            let value = try? CoreBodyTemperature(newest.octets), let tenths = value.heatStrainIndexTenths,
            let index = value.validHeatStrainIndex
        else { return nil }
        return "\(index)\(glyphs.dot)heat zone \(CoreBodyTemperature.heatZone(tenths: tenths)) of 4"
    }

    /// How long a heat strain index is current; CORE sends one each second.
    private static let heatStrainLifetime = Duration.seconds(15)

    private var signal: String {
        guard let strength = sensor.strength(at: scene.now) else {
            return sensor.isConnected ? "not reported while connected" : "not heard"
        }
        let heard = "heard \(scene.time.age(of: strength.heard))\(strength.isOld ? " ago" : "")"
        let number = SensorRowView.strengthText(strength.decibels, glyphs)
        return "\(SensorRowView.bars(of: sensor, strength.decibels, glyphs)) \(number)\(glyphs.dot)\(heard)"
    }

    private var neverHeard: String { sensor.contact == nil ? "never" : "not since Bedside began" }

    private var drops: String {
        let recent = sensor.dropsInLastHour(at: scene.now)
        return sensor.drops == 0 ? "none" : "\(recent) in the last hour\(glyphs.dot)\(sensor.drops) since Bedside began"
    }

    private var malformed: String {
        let newest = sensor.lastMalformed.map {
            "\(glyphs.dot)\(sanitized($0.characteristic, limit: 40)): \(sanitized($0.reason, limit: 100))"
        }
        return Scene.count(sensor.malformedCount, "value") + (newest ?? "")
    }

    /// Its state of each vital, and whether the large numbers show it.
    private var vitals: [SensorContent.Line] {
        sensor.vitals.map { vital in
            var words = [conditionText(of: vital)]
            let isShown = scene.state[vital.vital].source?.address == sensor.identity.address
            if sensor.isAssigned(vital.vital) { words.append("taken from it by your wish (v)") }
            words.append(isShown ? "shown" : "not shown")
            let name = vital.vital.text
            return line(name.prefix(1).uppercased() + name.dropFirst(), words.joined(separator: glyphs.dot))
        }
    }

    private func conditionText(of vital: SensorVital) -> String {
        let unit = vital.vital.unitText(scene.screen.units, scene.glyphs)
        func value(_ sample: Sample) -> String {
            let warning = CalibrationLabels(scene.screen.units, scene.time).warning(on: sample)
            let number = "\(scene.valueText.digits(sample.value, of: vital.vital)) \(unit)"
            return number + (warning.map { ", \($0)" } ?? "")
        }
        switch vital.condition {
        case .neverSeen: return "no value yet"
        case .measured(let sample): return value(sample)
        case .stale(let sample): return "STALE, \(value(sample)) \(ago(sample.moment))"
        case .lost(let sample): return "no new value; last \(value(sample)) \(ago(sample.moment))"
        case .noMeasurement(let absence): return "no measurement: \(absence.reason.shortText)"
        case .notConnected: return "not connected"
        }
    }

    private func ago(_ moment: Moment) -> String {
        let age = scene.time.age(of: moment)
        return age == TimeText.now ? age : "\(age) ago"
    }

    private func line(_ label: String, _ text: String, _ style: Style = .plain) -> SensorContent.Line {
        SensorContent.Line.item(label, text, style, glyphs)
    }

    private func sentences(_ label: String, _ text: String, _ style: Style = .plain) -> [SensorContent.Line] {
        SensorContent.Line.sentences(label, text, style, columns: columns, glyphs)
    }

    private func plain(_ text: String) -> SensorContent.Line {
        SensorContent.Line(indent: 1, text: text, style: .faint)
    }
}

extension SensorContent.Line {
    /// A line with a label.
    static func item(_ label: String, _ text: String, _ style: Style, _ glyphs: GlyphSet) -> Self {
        Self(indent: 1, label: label, text: glyphs.fit(text), style: style)
    }

    /// Text that is continued below itself where the page is too narrow.
    static func sentences(
        _ label: String, _ text: String, _ style: Style = .plain, columns: Int, _ glyphs: GlyphSet
    ) -> [Self] {
        let room = columns - 1 - SensorContent.labelWidth(columns: columns - 1)
        let parts = wrapped(glyphs.fit(text), columns: room, glyphs: glyphs)
        return parts.enumerated().map { item($0.offset == 0 ? label : " ", $0.element, style, glyphs) }
    }
}

extension Scene {
    /// A body temperature with its unit.
    func temperature(_ value: VitalValue) -> String {
        "\(valueText.digits(value, of: .bodyTemperature)) \(Vital.bodyTemperature.unitText(screen.units, screen.glyphs))"
    }

    /// What a remembered sensor measured last in an earlier run: "HR 72 /min"; `nil` if that is not known.
    func lastValue(of sensor: SensorState) -> String? {
        guard let content = sensor.contact?.measurement?.content else { return nil }
        guard case .vital(let vital, let value, _) = content else {
            return sanitized(RecordEntry(content, enteredAt: now).text, limit: 60)
        }
        let unit = vital.unitText(screen.units, glyphs)
        return "\(glyphs.fit(vital.shortText)) \(valueText.digits(value, of: vital)) \(unit)"
    }

    /// The known services and values of a sensor.
    func inspection(of sensor: SensorState) -> SensorInspection? {
        state.inspection?.address == sensor.identity.address ? state.inspection : nil
    }
}

extension ConnectionHistory.Kind {
    /// The event as text.
    var text: String {
        switch self {
        case .connected: "connected"
        case .connectedByOthers: "connected by another program"
        case .ended(.user): "disconnected by you"
        case .ended(.linkLost): "link lost"
        case .ended(let reason): "connection ended: \(reason.text)"
        case .failed(let reason): "attempt failed: \(reason.text)"
        }
    }

    /// Whether it is an unwanted event.
    var isBad: Bool {
        switch self {
        case .connected, .connectedByOthers, .ended(.user): false
        case .ended, .failed: true
        }
    }
}

extension ConnectionState.DisconnectReason {
    /// The reason as text.
    fileprivate var text: String {
        switch self {
        case .user: "by you"
        case .linkLost: "link lost"
        case .refused: "refused"
        case .timeout: "no answer in time"
        case .adapter: "adapter went away"
        case .daemon: "Bluetooth service ended"
        case .bus: "message bus ended"
        case .removed: "not heard"
        case .asleep: "asleep until the next measurement"
        case .unknown: "for an unknown reason"
        }
    }
}
