import Monitoring
import Base
import Vitals
import Waves

/// The remembered sensors, limits and links in the store.
struct MemoryStore {
    let database: SQLiteDatabase

    /// The greatest number of rows read from each table: many times what is written.
    private static let rowLimit = 4096

    // MARK: Writing

    /// Writes a decision; one that is stored already changes nothing.
    func write(_ change: MemoryChange) throws(StoreError) {
        switch change {
        case .remembered(let sensor): try remember(sensor)
        case .forgotten(let address):
            try database.run("DELETE FROM remembered_sensor WHERE address = ?1", .text(address))
        case .battery(let address, let battery):
            try database.run(
                "UPDATE remembered_sensor SET battery = ?2, battery_wall_ms = ?3 WHERE address = ?1", .text(address),
                .integer(Int64(battery.percent)), .integer(battery.wallMilliseconds))
        case .patient(let memory): try replace(memory)
        case .links(let links): try replace(links)
        case .runningWaves(let waves): try replace(waves)
        // The recorder writes it with its run.
        case .deviceUsers: break
        }
    }

    private func remember(_ sensor: RememberedSensor) throws(StoreError) {
        let vitals = Vital.allCases.filter(sensor.assignedVitals.contains).map(\.rawValue).joined(separator: " ")
        try database.run(
            """
            INSERT INTO remembered_sensor (address, name, kind, label, wanted, vitals) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (address) DO UPDATE SET name = ?2, kind = ?3, label = ?4, wanted = ?5, vitals = ?6
            WHERE (name, kind, label, wanted, vitals) IS NOT (?2, ?3, ?4, ?5, ?6)
            """,
            .text(sensor.address), .text(sensor.name), .text(sensor.kind.rawValue), SQLiteValue(sensor.label),
            SQLiteValue(sensor.isWanted.map { $0 ? 1 : 0 }), .text(vitals))
    }

    private func replace(_ memory: MonitorMemory) throws(StoreError) {
        if try patient() == memory { return }
        try database.run("DELETE FROM changed_limit")
        for change in memory.limits {
            let columns = LimitColumns(change.setting)
            try database.run(
                "INSERT INTO changed_limit (vital, rule, value, priority, milliseconds) VALUES (?1, ?2, ?3, ?4, ?5)",
                .text(change.vital.rawValue), .text(change.setting.name.rawValue),
                SQLiteValue(columns.value?.hundredths),
                SQLiteValue(columns.priority?.rawValue),
                SQLiteValue(columns.duration.map { $0.nanoseconds / 1_000_000 }))
        }
        try database.run("DELETE FROM deferred_reminder")
        if let deferred = memory.labDeferredAt {
            try database.run(
                "INSERT INTO deferred_reminder (id, deferred_wall_ms) VALUES (1, ?1)", .integer(deferred))
        }
        try database.run("DELETE FROM neutrophil_count")
        guard let count = memory.neutrophils else { return }
        try database.run(
            "INSERT INTO neutrophil_count (id, per_microlitre, sampled_wall_ms, entered_by) VALUES (1, ?1, ?2, ?3)",
            SQLiteValue(count.perMicrolitre), .integer(count.sampledAt), .text(count.enteredBy))
    }

    private func replace(_ links: [OwnedLink]) throws(StoreError) {
        if try self.links() == links { return }
        try database.run("DELETE FROM owned_link")
        for link in links {
            try database.run(
                "INSERT OR REPLACE INTO owned_link (address, bus, daemon, client) VALUES (?1, ?2, ?3, ?4)",
                .text(link.address), .text(link.bus), .text(link.daemon), .text(link.client))
        }
    }

    private func replace(_ waves: [RunningWave]) throws(StoreError) {
        if try runningWaves() == waves { return }
        try database.run("DELETE FROM running_wave")
        for wave in waves {
            try database.run(
                "INSERT OR REPLACE INTO running_wave (address, kind) VALUES (?1, ?2)", .text(wave.address),
                .text(wave.kind.rawValue))
        }
    }

    // MARK: Reading

    /// Reads what is remembered; rows that cannot be understood are ignored.
    func read() throws(StoreError) -> StoredMemory {
        StoredMemory(
            sensors: try sensors(), patient: try patient(), links: try links(),
            runningWaves: try runningWaves(), sequences: try EntryStore(database: database).newestSequences(),
            handedOver: try EntryStore(database: database).handedOver(), contacts: try contacts(),
            nights: try NightStore(database: database).names())
    }

    private func sensors() throws(StoreError) -> [RememberedSensor] {
        try rows("SELECT address, name, kind, label, wanted, vitals FROM remembered_sensor ORDER BY id LIMIT ?1") {
            row in
            guard let address = row.text(0), address.utf8.count == 17 else { return nil }
            let vitals = (row.text(5) ?? "").split(separator: " ").compactMap { Vital(rawValue: String($0)) }
            return RememberedSensor(
                address: address, name: row.text(1) ?? address,
                kind: row.text(2).flatMap { SensorKind(rawValue: $0) } ?? .other,
                label: row.text(3), isWanted: row.integer(4).map { $0 != 0 }, assignedVitals: Set(vitals))
        }
    }

    // MARK: Contacts

    private func contacts() throws(StoreError) -> [String: SensorContact] {
        let since = try PatientTable(database: database).newestBeginning() ?? .min
        let batteries = try rows("SELECT address, battery, battery_wall_ms FROM remembered_sensor ORDER BY id LIMIT ?1")
        {
            row -> (String, SensorContact.Battery?)? in
            guard let address = row.text(0) else { return nil }
            guard let percent = row.integer(1), (0...100).contains(percent), let wall = row.integer(2) else {
                return (address, nil)
            }
            return (address, SensorContact.Battery(percent: Int(percent), wallMilliseconds: wall))
        }
        var contacts: [String: SensorContact] = [:]
        for (address, battery) in batteries {
            let contact = SensorContact(measurement: try lastMeasurement(of: address, since: since), battery: battery)
            if contact != SensorContact() { contacts[address] = contact }
        }
        return contacts
    }

    /// The last measurement of a sensor since a wall time, from the record or from its readings.
    private func lastMeasurement(of address: String, since: Int64) throws(StoreError) -> SensorContact.Measurement? {
        let entry = try EntryStore(database: database).newest(ofSensor: address, since: since)
        // Sensors have few wear periods, so the newest of one is found faster than its newest reading.
        let end = try database.integer(
            """
            SELECT max(to_wall_ms) FROM wearing
            WHERE to_wall_ms >= ?2 AND sensor IN (SELECT id FROM sensor WHERE address = ?1)
            """, .text(address), .integer(since))
        guard let end, end >= entry?.taken.wallMilliseconds ?? .min else {
            return entry.map {
                SensorContact.Measurement(content: $0.content, wallMilliseconds: $0.taken.wallMilliseconds)
            }
        }
        var found: (vital: Vital, value: VitalValue)?
        try database.forEach(
            """
            SELECT vital.text, value FROM reading
            JOIN word AS vital ON vital.id = reading.vital JOIN word AS quality ON quality.id = reading.quality
            WHERE wall_ms BETWEEN ?2 - 60000 AND ?2 AND late IS NULL AND quality.text <> ?3
                AND sensor IN (SELECT id FROM sensor WHERE address = ?1)
            ORDER BY wall_ms DESC, n DESC LIMIT 8
            """, .text(address), .integer(end), .text(Reading.Quality.malfunction.rawValue)
        ) { row in
            guard let vital = row.text(0).flatMap({ Vital(rawValue: $0) }), let value = row.value(1) else { return }
            // Of several vitals the one with a place on the screen.
            if found == nil || found?.vital.traits.role != .main && vital.traits.role == .main {
                found = (vital, value)
            }
        }
        return SensorContact.Measurement(
            content: found.map { .vital($0.vital, $0.value, site: nil) }, wallMilliseconds: end)
    }

    private func patient() throws(StoreError) -> MonitorMemory {
        let limits = try rows(
            "SELECT vital, rule, value, priority, milliseconds FROM changed_limit ORDER BY id LIMIT ?1"
        ) { row -> MonitorMemory.ChangedLimit? in
            guard let vital = row.text(0).flatMap({ Vital(rawValue: $0) }),
                let name = row.text(1).flatMap({ LimitSetting.Name(rawValue: $0) }),
                let setting = LimitColumns(row).setting(name)
            else { return nil }
            return MonitorMemory.ChangedLimit(vital: vital, setting: setting)
        }
        let counts = try rows(
            "SELECT per_microlitre, sampled_wall_ms, entered_by FROM neutrophil_count LIMIT ?1"
        ) { row -> NeutrophilCount? in
            guard let count = row.integer(0).flatMap({ Int32(exactly: $0) }), let sampled = row.integer(1) else {
                return nil
            }
            return NeutrophilCount(perMicrolitre: Int(count), sampledAt: sampled, enteredBy: row.text(2) ?? "")
        }
        return MonitorMemory(
            limits: limits, neutrophils: counts.first,
            labDeferredAt: try database.integer("SELECT deferred_wall_ms FROM deferred_reminder"),
            patientSince: try PatientTable(database: database).newestBeginning())
    }

    private func links() throws(StoreError) -> [OwnedLink] {
        try rows("SELECT address, bus, daemon, client FROM owned_link ORDER BY address LIMIT ?1") { row in
            guard let address = row.text(0), let bus = row.text(1), let daemon = row.text(2), let client = row.text(3)
            else { return nil }
            return OwnedLink(address: address, bus: bus, daemon: daemon, client: client)
        }
    }

    private func runningWaves() throws(StoreError) -> [RunningWave] {
        try rows("SELECT address, kind FROM running_wave ORDER BY address, kind LIMIT ?1") { row in
            guard let address = row.text(0), let kind = row.text(1).flatMap({ WaveKind(rawValue: $0) }) else {
                return nil
            }
            return RunningWave(address: address, kind: kind)
        }
    }

    private func rows<Row>(_ sql: String, _ read: (SQLiteStatement) -> Row?) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        try database.forEach(sql, .integer(Int64(Self.rowLimit))) { statement in
            if let row = read(statement) { rows.append(row) }
        }
        return rows
    }
}

/// The columns of a changed limit.
private struct LimitColumns {
    var value: VitalValue?
    var priority: AlarmPriority?
    var duration: Duration?

    init(value: VitalValue?, priority: AlarmPriority?, duration: Duration?) {
        (self.value, self.priority, self.duration) = (value, priority, duration)
    }

    init(_ setting: LimitSetting) {
        switch setting {
        case .limit(_, let limit): (value, priority, duration) = (limit.value, limit.priority, limit.delay)
        case .fall(let limit), .rise(let limit):
            (value, priority, duration) = (limit.amount, limit.priority, limit.within)
        case .flatLine(let duration): self.duration = duration
        }
    }

    /// Reads the third to fifth column.
    fileprivate init(_ row: SQLiteStatement) {
        value = row.value(2)
        priority = row.text(3).flatMap { AlarmPriority(rawValue: $0) }
        duration = row.integer(4).map { .milliseconds($0) }
    }

    /// The rule of this name; `nil` when a column is missing.
    func setting(_ name: LimitSetting.Name) -> LimitSetting? {
        if name == .flatLine { return .flatLine(duration) }
        guard let priority, let duration else { return nil }
        if let kind = name.limit { return .limit(kind, AlarmLimit(value, priority, delay: duration)) }
        let change = ChangeLimit(value, within: duration, priority)
        return name == .fall ? .fall(change) : .rise(change)
    }
}
