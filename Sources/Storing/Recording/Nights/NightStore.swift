import Nights
import Vitals

/// The nights that sensors handed over, or that were imported; one row each.
struct NightStore {
    let database: SQLiteDatabase

    /// Appends a night; one that is there already, by its sensor's address and its name, stays as it is.
    ///
    /// - Parameters:
    ///   - night: The night.
    ///   - moment: When it came.
    ///   - run: The epoch in which it came.
    func append(_ night: StoredNight, at moment: Moment, run: Int64) throws(StoreError) {
        var names = NameTable(database)
        try database.run(
            """
            INSERT OR IGNORE INTO night (
                epoch, stored_wall_ms, sensor, address, name, start_wall_ms, interval_s, samples, imported_from)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """,
            .integer(run), .integer(moment.wallMilliseconds), .integer(try names.number(of: night.sensor)),
            .text(night.sensor.address), .text(night.name), .integer(night.start), .integer(Int64(night.interval)),
            .blob(NightSamples.octets(of: night.samples)), SQLiteValue(night.importedFrom))
        guard night.importedFrom == nil else { return }
        try database.run(
            "INSERT OR IGNORE INTO fetched_night (address, name, has_file) VALUES (?1, ?2, 1)",
            .text(night.sensor.address), .text(night.name))
    }

    /// The names of the nights that sensors have handed over, by the sensor's address, also of those that were too old.
    func names() throws(StoreError) -> [String: Set<String>] {
        var names: [String: Set<String>] = [:]
        try database.forEach("SELECT address, name FROM fetched_night") { row in
            guard let address = row.text(0), let name = row.text(1) else { return }
            names[address, default: []].insert(name)
        }
        return names
    }

    /// The nights whose files are still there though they themselves were too old; a bounded number.
    func outlived() throws(StoreError) -> [(address: String, name: String)] {
        var nights: [(String, String)] = []
        try database.forEach(
            """
            SELECT address, name FROM fetched_night WHERE has_file = 1 AND NOT EXISTS (
                SELECT 1 FROM night WHERE night.address = fetched_night.address AND night.name = fetched_night.name)
            LIMIT 16
            """
        ) { row in
            if let address = row.text(0), let name = row.text(1) { nights.append((address, name)) }
        }
        return nights
    }

    /// Records that the file of a night is gone.
    func fileIsGone(_ night: (address: String, name: String)) throws(StoreError) {
        try database.run(
            "UPDATE fetched_night SET has_file = 0 WHERE address = ?1 AND name = ?2", .text(night.address),
            .text(night.name))
    }
}

/// The samples of a night as octets: four each, the saturation, the pulse rate with its lower octet first, the movement.
enum NightSamples {
    /// The octets of a sample.
    static let size = 4

    static func octets(of samples: [NightSample]) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(samples.count * size)
        for sample in samples {
            let pulse = sample.pulseRate ?? .max
            octets.append(sample.saturation ?? .max)
            octets.append(UInt8(truncatingIfNeeded: pulse))
            octets.append(UInt8(truncatingIfNeeded: pulse >> 8))
            octets.append(sample.movement ?? .max)
        }
        return octets
    }

    static func samples(of octets: [UInt8]) -> [NightSample] {
        (0..<octets.count / size).map { index in
            let place = index * size
            let pulse = UInt16(octets[place + 1]) | UInt16(octets[place + 2]) << 8
            return NightSample(
                saturation: octets[place] == .max ? nil : octets[place], pulseRate: pulse == .max ? nil : pulse,
                movement: octets[place + 3] == .max ? nil : octets[place + 3])
        }
    }
}
