import Monitoring
import Vitals

/// The alarm log in the store.
struct AlarmStore {
    let database: SQLiteDatabase

    // MARK: Writing

    /// Writes an entry of another store, unless it exists here.
    ///
    /// - Returns: Whether it is new.
    func appendUnlessThere(_ entry: AlarmLogEntry, run: Int64) throws(StoreError) -> Bool {
        let (state, word, episode): (String?, String?, Int?) =
            switch entry.content {
            case .change(let change): (change.state.rawValue, nil, change.id)
            case .action(let action): (nil, action.word, nil)
            }
        let known = try database.integer(
            """
            SELECT id FROM alarm_log WHERE wall_ms = ?1 AND monotonic_ns = ?2 AND epoch = ?3 AND episode IS ?4
                AND state IS ?5 AND action IS ?6 LIMIT 1
            """, .integer(entry.moment.wallMilliseconds), .integer(entry.moment.monotonicNanoseconds), .integer(run),
            SQLiteValue(episode), SQLiteValue(state), SQLiteValue(word))
        if known != nil { return false }
        try append(entry, run: run)
        return true
    }

    /// Writes an entry.
    func append(_ entry: AlarmLogEntry, run: Int64) throws(StoreError) {
        switch entry.content {
        case .change(let change): try append(change, entry.moment, run)
        case .action(let action):
            try append(action, entry.moment, run)
            if entry.isPatientChange { try PatientTable(database: database).begin(at: entry.moment.wallMilliseconds) }
        }
    }

    /// Ends every alarm of earlier runs without an end, at the last known time of its run.
    ///
    /// Call it only while no other program writes the store.
    func closeInterrupted() throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.run(
                """
                INSERT INTO alarm_log (epoch, wall_ms, monotonic_ns, episode, since_wall_ms, kind, class, priority, state,
                    sensor, vital, site, value, peak, crossed_limit, text)
                SELECT open.epoch, max(newest.wall_ms, ifnull(recorded.wall_ms, newest.wall_ms)), newest.monotonic_ns,
                    open.episode, open.since_wall_ms, open.kind, open.class, open.priority, ?1, open.sensor, open.vital,
                    open.site, open.value, open.peak, open.crossed_limit, open.text
                FROM alarm_log AS open
                JOIN alarm_log AS newest ON newest.id = (
                    SELECT id FROM alarm_log WHERE epoch = open.epoch ORDER BY id DESC LIMIT 1)
                LEFT JOIN (
                    SELECT max(id), ifnull(run, id) AS run, CAST(max(ifnull(last_wall_ms, wall_ms),
                        wall_ms + ifnull(last_running_ms - running_ms, 0)) AS INTEGER) AS wall_ms
                    FROM epoch GROUP BY 2) AS recorded ON recorded.run = open.epoch
                WHERE open.id IN (SELECT max(id) FROM alarm_log WHERE episode IS NOT NULL GROUP BY epoch, episode)
                    AND open.state NOT IN (?2, ?3, ?1, ?4)
                ORDER BY open.id
                """,
                .text(AlarmLogEntry.State.interrupted.rawValue), .text(AlarmLogEntry.State.ended.rawValue),
                .text(AlarmLogEntry.State.putAway.rawValue), .text(AlarmLogEntry.State.unanswered.rawValue))
        }
    }

    private func append(_ change: AlarmLogEntry.Change, _ moment: Moment, _ run: Int64) throws(StoreError) {
        var names = NameTable(database)
        let sensor = try change.sensor.map { (sensor) throws(StoreError) in try names.number(of: sensor) }
        try database.run(
            """
            INSERT INTO alarm_log (epoch, wall_ms, monotonic_ns, episode, since_wall_ms, kind, class, priority, state,
                sensor, vital, site, value, peak, crossed_limit, text)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            """,
            .integer(run), .integer(moment.wallMilliseconds), .integer(moment.monotonicNanoseconds),
            SQLiteValue(change.id), .integer(change.sinceWallMilliseconds), .text(change.kindName),
            .text(change.alarmClass.rawValue), .text(change.priority.rawValue), .text(change.state.rawValue),
            SQLiteValue(sensor), SQLiteValue(change.vital?.rawValue), SQLiteValue(change.site?.rawValue),
            SQLiteValue(change.value?.hundredths), SQLiteValue(change.peak?.hundredths),
            SQLiteValue(change.limit?.hundredths), .text(change.text))
    }

    private func append(_ action: AlarmLogEntry.Action, _ moment: Moment, _ run: Int64) throws(StoreError) {
        try database.run(
            """
            INSERT INTO alarm_log (epoch, wall_ms, monotonic_ns, actor, action, episodes, until_wall_ms, text)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            .integer(run), .integer(moment.wallMilliseconds), .integer(moment.monotonicNanoseconds),
            .text(action.actor.rawValue), .text(action.word),
            .text(action.episodes.map(String.init).joined(separator: " ")), SQLiteValue(action.untilWallMilliseconds),
            .text(action.text))
    }

    // MARK: Reading

    /// The outstanding alarms of earlier runs about the patient.
    ///
    /// - Throws: ``StoreError``.
    func outstanding() throws(StoreError) -> OutstandingAlarms {
        var alarms = OutstandingAlarms()
        try forEach(isAboutPatient: true) { alarms.add($0) }
        let lastAlarm = try database.integer("SELECT max(episode) FROM alarm_log") ?? 0
        alarms.lastAlarm = max(alarms.lastAlarm, Int(clamping: lastAlarm))
        try alarms.complete { (sensor, vital, since) throws(StoreError) in
            try values(of: vital, from: sensor, since: since)
        }
        return alarms
    }

    /// The extremes and the newest of recorded values; skin values are excluded.
    private func values(
        of vital: Vital, from sensor: SensorIdentity, since: Int64
    ) throws(StoreError) -> OutstandingAlarms.ValueRange? {
        let row = try database.statement(
            """
            WITH found AS (
                SELECT wall_ms, n, value FROM reading
                WHERE wall_ms >= ?1 AND value IS NOT NULL AND vital = (SELECT id FROM word WHERE text = ?2)
                    AND sensor IN (SELECT id FROM sensor WHERE address = ?3)
                    AND site IS NOT ifnull((SELECT id FROM word WHERE text = ?4), -1))
            SELECT min(value), max(value), (SELECT value FROM found ORDER BY wall_ms DESC, n DESC LIMIT 1) FROM found
            """)
        defer { row.reset() }
        try row.bind([.integer(since), .text(vital.rawValue), .text(sensor.address), .text(BodySite.skin.rawValue)])
        guard try row.step(), let lowest = row.value(0), let highest = row.value(1), let newest = row.value(2) else {
            return nil
        }
        return OutstandingAlarms.ValueRange(lowest: lowest, highest: highest, newest: newest)
    }

    /// Passes entries to a closure, the oldest first, without keeping all of them in memory.
    ///
    /// - Parameters:
    ///   - since: The first moment, in milliseconds since 1970 (UTC).
    ///   - newest: The number of newest entries; `nil` for all.
    ///   - isAboutPatient: Only physiological alarms and actions.
    func forEach(
        since: Int64 = .min, newest: Int64 = .max, isAboutPatient: Bool = false,
        _ body: (AlarmLogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        // In pages, and the transaction ends between pages, so that a slow reader does not make the write-ahead log
        // grow.
        var last = try database.integer(
            "SELECT min(id) FROM (SELECT id FROM alarm_log WHERE wall_ms >= ?1 ORDER BY id DESC LIMIT ?2)",
            .integer(since), .integer(newest)
        ).map { $0 - 1 }
        let end = try database.integer("SELECT max(id) FROM alarm_log") ?? 0
        while let start = last {
            let page = try page(
                after: start, to: end, since: since, isAboutPatient: isAboutPatient, atMost: StoredHistory.pageSize)
            last = page.isFull ? page.last : nil
            for (_, entry) in page.entries { try body(entry) }
        }
    }

    /// The entries after a number, the oldest first, and the number of the last examined one.
    func page(
        after start: Int64, to end: Int64 = .max, since: Int64 = .min, isAboutPatient: Bool = false, atMost count: Int
    ) throws(StoreError) -> (entries: [(number: Int64, entry: AlarmLogEntry)], last: Int64, isFull: Bool) {
        let rows = try database.statement(
            """
            SELECT log.id, log.epoch, log.wall_ms, log.monotonic_ns, log.episode, log.since_wall_ms, log.kind,
                log.priority, log.state, sensor.address, sensor.name, sensor.kind, log.vital, log.site, log.value,
                log.peak, log.crossed_limit, log.actor, log.action, log.episodes, log.until_wall_ms, log.text
            FROM alarm_log AS log LEFT JOIN sensor ON sensor.id = log.sensor
            WHERE log.id > ?1 AND log.id <= ?2 AND +log.wall_ms >= ?3 AND log.class IS NOT ?4
            ORDER BY log.id LIMIT ?5
            """)
        defer { rows.reset() }
        try rows.bind([
            .integer(start), .integer(end), .integer(since),
            isAboutPatient ? .text(AlarmClass.technical.rawValue) : .text(""), .integer(Int64(count)),
        ])
        var (entries, found, last): ([(Int64, AlarmLogEntry)], Int, Int64) = ([], 0, start)
        while try rows.step() {
            found += 1
            last = rows.integer(0) ?? last
            // Unreadable rows were written by another version; the others are still useful.
            if let entry = AlarmLogEntry(rows) { entries.append((last, entry)) }
        }
        return (entries, last, found == count)
    }
}

extension AlarmLogEntry {
    /// Reads the present row of ``AlarmStore/forEach(since:newest:_:)``.
    fileprivate init?(_ row: SQLiteStatement) {
        guard let run = row.integer(1), let wall = row.integer(2), let monotonic = row.integer(3),
            let content = Self.action(row) ?? Self.change(row)
        else { return nil }
        self.init(
            moment: Moment(monotonicNanoseconds: monotonic, wallMilliseconds: wall), run: run, content: content)
    }

    private static func action(_ row: SQLiteStatement) -> Content? {
        guard let actor = row.text(17).flatMap({ ActionRecord.Actor(rawValue: $0) }), let word = row.text(18) else {
            return nil
        }
        let episodes = (row.text(19) ?? "").split(separator: " ").compactMap { Int($0) }
        return .action(
            Action(
                actor: actor, word: word, text: row.text(21) ?? "", episodes: episodes,
                untilWallMilliseconds: row.integer(20)))
    }

    private static func change(_ row: SQLiteStatement) -> Content? {
        guard let episode = row.integer(4), let since = row.integer(5),
            let kind = row.text(6).flatMap({ AlarmKind(rawValue: $0) }),
            let priority = row.text(7).flatMap({ AlarmPriority(rawValue: $0) }),
            let state = row.text(8).flatMap({ State(rawValue: $0) })
        else { return nil }
        let sensor = row.text(9).map { address in
            SensorIdentity(
                address: address, name: row.text(10) ?? "",
                kind: row.text(11).flatMap { SensorKind(rawValue: $0) } ?? .other)
        }
        return .change(
            Change(
                AlarmReport(
                    id: Int(clamping: episode), kind: kind, priority: priority, sensor: sensor,
                    vital: row.text(12).flatMap { Vital(rawValue: $0) },
                    site: row.text(13).flatMap { BodySite(rawValue: $0) }, value: row.value(14), peak: row.value(15),
                    limit: row.value(16), sinceWallMilliseconds: since, text: row.text(21) ?? ""),
                state))
    }
}
