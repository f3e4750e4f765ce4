import Foundation

/// Reads the store that a night has left, with the program `sqlite3`, and compares it with what was true.
struct StoreAuditor {
    let night: Night
    /// The path of the store.
    let path: String
    /// The values that were shown while they were measured, by the places of their sensors.
    let shown: [Int: [NightAuditor.ShownValue]]

    /// How much of the readings, in seconds, a power cut may take (the article *Recording*: ten), with what the disk may take.
    private static let lostByPowerCut = 14.0

    /// A reading of the store.
    struct Stored {
        /// Seconds since the machine was first switched on.
        var time: Double
        /// The place of its sensor.
        var sensor: Int
        var hundredths: Int
        var isLate: Bool
    }

    /// The machine's clock when it is switched on (`clocks.c`).
    static let beginningOfClock = 1000.0

    /// What does not hold.
    ///
    /// - Parameter check: Called with each rule that had something to check.
    func findings(_ check: (String) -> Void) throws -> [NightAuditor.Finding] {
        guard FileManager.default.fileExists(atPath: path) else {
            return [.init(time: night.length, sentence: "there is no store")]
        }
        var findings: [NightAuditor.Finding] = []
        func report(_ time: Double, _ sentence: String) {
            findings.append(NightAuditor.Finding(time: time, sentence: sentence))
        }
        let integrity = try rows("PRAGMA integrity_check").first?.first ?? ""
        check("the store is sound")
        if integrity != "ok" { report(night.length, "the store is damaged: \(integrity)") }
        let folder = (path as NSString).deletingLastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.contains("damaged") {
            report(night.length, "a store was set aside as damaged: \(name)")
        }
        let stored = try readings()
        for reading in stored where !reading.isLate {
            check("a stored value was measured")
            // A message may take a while on a slow bus.
            if !isTrue(reading) {
                let value = "\(night.truths[reading.sensor].name) \(reading.hundredths)"
                report(reading.time, "the store holds \(value), which was not measured then")
                break
            }
        }
        for (address, notified) in try StoreReader(path: path).intervals() {
            guard let truth = night.truths.first(where: { $0.address == address }) else { continue }
            for beats in notified {
                check("a stored RR interval was measured")
                let time = beats.time - Self.beginningOfClock
                if !truth.hasBeats(beats.intervals, at: time) {
                    report(time, "the store holds RR intervals that \(truth.name) did not measure: \(beats.intervals)")
                    break
                }
            }
        }
        check("a value is stored once")
        // After a sleep a sensor may send twice at once, and an oximeter whose link is new a spot-check beside its value.
        for row in try rows(Self.twice) where (Int(row.last ?? "") ?? 0) > night.faults.count {
            report(night.length, "the store holds \(row.last ?? "") values of \(row.first ?? "") twice")
        }
        for (sensor, values) in shown {
            for value in values where value.time < night.length - 4 {
                if isLostByPowerCut(at: value.time) { continue }
                check("a value that was shown is stored")
                // A number on the screen does not tell of which sensor it is.
                let isStored = stored.contains {
                    night.truths[$0.sensor].kind == night.truths[sensor].kind
                        && value.step.hasHundredths($0.hundredths) && abs($0.time - value.time) < 60
                }
                if isStored { continue }
                let name = night.truths[sensor].name
                report(value.time, "the store lacks a value of \(name) that was shown: \(value.step.value)")
            }
        }
        // In the quiet at the end, of each value everything but the first second is there.
        for truth in night.truths {
            for step in truth.arriving where step.start > night.endOfFaults + 40 && step.end < night.length - 3 {
                let expected = ((step.end - step.start) / truth.interval).rounded(.down) - 2
                let count = stored.filter {
                    $0.sensor == truth.place && $0.time >= step.start - 0.1 && $0.time <= step.end + 2
                        && step.hasHundredths($0.hundredths)
                }.count
                check("a measured value is stored")
                if Double(count) < expected {
                    report(step.start, "the store holds \(count) of \(Int(expected)) values of \(truth.name)")
                }
            }
        }
        return findings
    }

    /// Whether a power cut takes what was measured at a time: what was not synchronised, or waited for room on the disk.
    private func isLostByPowerCut(at time: Double) -> Bool {
        night.powerCuts.contains { cut in
            let waitsSince = night.faults.filter { fault in
                fault.kind == .fullDisk && fault.start < cut && fault.end > cut - Self.lostByPowerCut
            }.map(\.start).min()
            return cut > time && time > (waitsSince ?? cut) - Self.lostByPowerCut
        }
    }

    /// Whether a carer's note has reached the disk.
    var hasNote: Bool {
        ["", "-wal"].contains { end in
            FileManager.default.contents(atPath: path + end)?.range(of: Data(WardAuditor.note.utf8)) != nil
        }
    }

    /// The kinds of alarms that the night has reached.
    func alarmKinds() throws -> Set<String> {
        Set(try rows("SELECT DISTINCT kind FROM alarm_log WHERE kind IS NOT NULL").compactMap(\.first))
    }

    private func isTrue(_ reading: Stored) -> Bool {
        night.truths.contains { truth in
            truth.place == reading.sensor
                && (truth.steps + truth.arriving).contains {
                    $0.start <= reading.time + 0.1 && $0.end >= reading.time - 4 && $0.hasHundredths(reading.hundredths)
                }
        }
    }

    /// The sensors of which equal values arrived at the same nanosecond, and how often.
    private static let twice = """
        SELECT address, max(times) FROM (
            SELECT sensor, vital, count(*) AS times FROM (
                SELECT sensor, vital FROM reading WHERE value IS NOT NULL AND late IS NULL
                GROUP BY wall_ms, drift_ns, sensor, vital, value HAVING count(*) > 1)
            GROUP BY sensor, vital) JOIN sensor ON sensor.id = sensor GROUP BY address
        """

    /// The readings of the night's sensors.
    func readings() throws -> [Stored] {
        let query = """
            SELECT e.monotonic_ns + r.drift_ns, r.wall_ms - e.wall_ms, s.address, r.value, r.late IS NOT NULL
            FROM reading r JOIN epoch e ON e.id = r.epoch JOIN sensor s ON s.id = r.sensor JOIN word w ON w.id = r.vital
            WHERE r.value IS NOT NULL AND w.text NOT IN ('pulse_rate', 'perfusion_index')
            """
        let places = Dictionary(uniqueKeysWithValues: night.truths.map { ($0.address, $0.place) })
        return try rows(query).compactMap { row in
            guard row.count == 5, let start = Double(row[0]), let passed = Double(row[1]), let sensor = places[row[2]],
                let hundredths = Int(row[3])
            else { return nil }
            let time = start / 1e9 - Self.beginningOfClock + passed / 1000
            return Stored(time: time, sensor: sensor, hundredths: hundredths, isLate: row[4] == "1")
        }
    }

    private func rows(_ query: String) throws -> [[String]] { try StoreReader(path: path).rows(query) }
}

extension SensorTruth {
    /// Whether RR intervals, in units of 1/1024 s, are those of its heart rates of just before; each beat differs a little.
    fileprivate func hasBeats(_ intervals: [Int], at time: Double) -> Bool {
        let rates = (steps + arriving).filter { $0.start <= time + 0.1 && $0.end >= time - 6 }.compactMap {
            Double($0.value)
        }
        guard let lowest = rates.min(), let highest = rates.max() else { return false }
        let (shortest, longest) = (60 * 1024 / highest * 0.8, 60 * 1024 / lowest * 1.25)
        return intervals.allSatisfy { (shortest...longest).contains(Double($0)) }
    }
}
