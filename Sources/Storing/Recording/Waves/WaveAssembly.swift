import Base
import Vitals
import Waves

/// Joins the blocks of all streams to rows.
struct WaveAssembly {
    /// One stream.
    private struct Stream {
        var builder = WaveSegmentBuilder()
        /// When its newest block was taken from the inbox.
        var newest: Moment
    }

    private var streams: [WaveStream: Stream] = [:]

    /// After how long without a block a stream has ended, in nanoseconds.
    private static let patience: Int64 = 3_000_000_000

    /// The rows that are complete with some updates.
    ///
    /// - Parameters:
    ///   - updates: The next ones, in their order.
    ///   - now: When they were taken.
    mutating func rows(of updates: [WaveUpdate], at now: Moment) -> [WaveRow] {
        var rows: [WaveRow] = []
        for update in updates {
            switch update {
            case .block(let block):
                streams[block.stream, default: Stream(newest: now)].newest = now
                if let complete = streams[block.stream]?.builder.add(block) { rows += complete.map { WaveRow($0) } }
            case .state(_, _, .ended), .state(_, _, .off): rows += finish(update.stream)
            case .state: break
            }
        }
        let quiet = streams.filter { now.since($0.value.newest).nanoseconds > Self.patience }.keys
        for stream in quiet.sorted(by: { ($0.address, $0.kind.rawValue) < ($1.address, $1.kind.rawValue) }) {
            rows += finish(stream)
        }
        return rows
    }

    /// The rows of all that waits, because nothing more comes.
    mutating func finish() -> [WaveRow] {
        let all = streams.keys.sorted { ($0.address, $0.kind.rawValue) < ($1.address, $1.kind.rawValue) }
        return all.flatMap { finish($0) }
    }

    private mutating func finish(_ stream: WaveStream) -> [WaveRow] {
        let rest = streams[stream]?.builder.finish() ?? []
        streams[stream] = nil
        return rest.map { WaveRow($0) }
    }
}

/// The rows that wait to be written, up to a limit of their own, so that they never displace a reading.
///
/// What is given up is lost before the next row of its stream.
struct WaitingWaves: Sendable {
    /// The greatest number of waiting rows: an hour of one stream, less than a megabyte.
    static let limit = 3600

    private(set) var rows: [WaveRow] = []
    /// Samples that are missing before the next row of a stream.
    private var missing: [WaveStream: Int] = [:]

    /// Whether nothing is to be written.
    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row.
    mutating func append(_ row: WaveRow) {
        var row = row
        if let lost = missing.removeValue(forKey: row.stream) { row.lose(lost) }
        rows.append(row)
        guard rows.count > Self.limit else { return }
        // Many at once, because moving the rest is expensive.
        var lost: [WaveStream: Int] = [:]
        for row in rows.prefix(Self.limit / 10) {
            lost[row.stream] = lost[row.stream, default: 0].addingSaturated(row.lost).addingSaturated(row.count)
        }
        rows.removeFirst(Self.limit / 10)
        for place in rows.indices {
            if lost.isEmpty { break }
            if let count = lost.removeValue(forKey: rows[place].stream) { rows[place].lose(count) }
        }
        missing.merge(lost) { $0.addingSaturated($1) }
    }
}

extension WaveRow {
    /// Notes that samples before it were lost.
    fileprivate mutating func lose(_ count: Int) {
        (lost, isContinuing) = (lost.addingSaturated(count), false)
    }
}
