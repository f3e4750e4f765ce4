import Vitals

/// The numbers of words and sensors in the store, assigned on first use.
struct NameTable {
    private let database: SQLiteDatabase
    private var words: [String: Int64] = [:]
    private var sensors: [SensorIdentity: Int64] = [:]

    init(_ database: SQLiteDatabase) {
        self.database = database
    }

    mutating func number(of word: String) throws(StoreError) -> Int64 {
        if let known = words[word] { return known }
        try database.run("INSERT OR IGNORE INTO word (text) VALUES (?1)", .text(word))
        let number = try found(database.integer("SELECT id FROM word WHERE text = ?1", .text(word)))
        words[word] = number
        return number
    }

    /// The number of a sensor under its present name.
    mutating func number(of sensor: SensorIdentity) throws(StoreError) -> Int64 {
        if let known = sensors[sensor] { return known }
        let (address, name, kind) = (sensor.address, sensor.name, sensor.kind.rawValue)
        try database.run(
            "INSERT OR IGNORE INTO sensor (address, name, kind) VALUES (?1, ?2, ?3)", .text(address), .text(name),
            .text(kind))
        let number = try found(
            database.integer(
                "SELECT id FROM sensor WHERE address = ?1 AND name = ?2 AND kind = ?3", .text(address), .text(name),
                .text(kind)))
        sensors[sensor] = number
        return number
    }

    /// The number of the sensor with an address and its newest stored name; creates one without a name for a new
    /// sensor.
    mutating func number(ofAddress address: String) throws(StoreError) -> Int64 {
        let newest = try database.integer(
            "SELECT id FROM sensor WHERE address = ?1 ORDER BY id DESC LIMIT 1", .text(address))
        if let newest { return newest }
        return try number(of: SensorIdentity(address: address, name: "", kind: .other))
    }

    private func found(_ number: Int64?) throws(StoreError) -> Int64 {
        guard let number else { throw StoreError(.other, "a row that was just stored is missing") }
        return number
    }
}

/// The numbers of the words of one type, so that the text of a word is needed only once.
struct WordNumbers<Word: RawRepresentable & Equatable> where Word.RawValue == String {
    // A list, because a dictionary would hash the text, and there are few.
    private var numbers: [(word: Word, number: Int64)] = []

    mutating func number(of word: Word, in names: inout NameTable) throws(StoreError) -> Int64 {
        for known in numbers where known.word == word { return known.number }
        let number = try names.number(of: word.rawValue)
        numbers.append((word, number))
        return number
    }
}
