import Base
import Nights
import Vitals

extension StoredHistory {
    /// The longest night that is looked for, in milliseconds.
    private static let longestNight: Int64 = 7 * 86_400_000

    /// Passes the nights that sensors handed over, and imported ones, to a closure, in the order of their beginnings.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC), some of which a night has samples of.
    ///   - body: Returns whether to continue.
    /// - Throws: ``StoreError``.
    public func forEachNight(in range: Range<Int64>, _ body: (StoredNight) -> Bool) throws(StoreError) {
        let rows = try database.statement(
            """
            SELECT sensor, name, start_wall_ms, interval_s, samples, imported_from FROM night
            WHERE start_wall_ms >= ?1 AND start_wall_ms < ?2
                AND start_wall_ms + length(samples) / \(NightSamples.size) * interval_s * 1000 > ?3
            ORDER BY start_wall_ms, id
            """)
        defer { rows.reset() }
        try rows.bind([
            .integer(range.lowerBound.subtractingSaturated(Self.longestNight)), .integer(range.upperBound),
            .integer(range.lowerBound),
        ])
        while try rows.step() {
            // Unreadable rows were written by another version; the others are still useful.
            guard let sensor = rows.integer(0).flatMap({ sensor($0) }), let name = rows.text(1),
                let start = rows.integer(2), let interval = rows.integer(3), (1...60).contains(interval)
            else { continue }
            let night = StoredNight(
                sensor: sensor, name: name, start: start, interval: Int(interval),
                samples: NightSamples.samples(of: rows.blob(4) ?? []), importedFrom: rows.text(5))
            guard night.range.overlaps(range) else { continue }
            if !body(night) { return }
        }
    }

    /// The names of the nights that are stored of each sensor, by its address.
    ///
    /// - Throws: ``StoreError``.
    public func nightNames() throws(StoreError) -> [String: Set<String>] { try NightStore(database: database).names() }
}
