import Base
import Recording
import Vitals
import Waves

/// The waves of a store while it is played: which of its blocks are due at a moment of the replay.
///
/// It reads no clock. Its blocks are short parts of what was recorded, each due at its end, by the clock of the replay. It
/// follows one epoch; after a gap, or a jump, it is interrupted and begins anew, so that no block of before comes after it.
public struct ReplayWaves {
    /// How long a block is at most, in nanoseconds.
    private static let length: Int64 = 250_000_000
    /// After how long without samples a stream has ended, in nanoseconds.
    private static let patience: Int64 = 2_000_000_000
    /// How long before the present a segment is looked for that reaches into it, in milliseconds.
    private static let reach: Int64 = 3000
    /// How far the clocks of the recording and the replay may drift apart, in nanoseconds: by the rounding of wall times.
    private static let drift: Int64 = 5_000_000
    private static let rowsOfPage = 128

    private let path: String
    /// The epoch that is followed; `nil` before the first look.
    private var epoch: Int64?
    /// The blocks that were read and are not due, by the recorded clocks, in the order of their ends.
    private var blocks: ArraySlice<WaveBlock> = []
    /// The wall time from which on there may be more; `nil` when all were read.
    private var unread: Int64?
    /// The monotonic time of the replay minus the recorded one, in nanoseconds.
    private var offset: Int64?
    /// The streams that go on, with the ends of their newest samples by the clock of the replay.
    private var streams: [WaveStream: (sensor: SensorIdentity, end: MonotonicTime)] = [:]

    /// Creates the waves of a store, which is read when they are due.
    init(_ path: String) { self.path = path }

    /// Whether it waits for its first look.
    public var isInterrupted: Bool { epoch == nil }

    /// When something will be due next, if nothing interrupts; `nil` for nothing more.
    public var nextDue: Moment? {
        let next = blocks.first.flatMap { block in offset.map { block.end.nanoseconds.addingSaturated($0) } }
        let ends = streams.values.map { $0.end.nanoseconds.addingSaturated(Self.patience) }
        return ([next].compactMap { $0 } + ends).min().map { Moment(monotonicNanoseconds: $0, wallMilliseconds: 0) }
    }

    /// The updates that are due.
    ///
    /// - Parameters:
    ///   - now: The present moment of the replay.
    ///   - present: The epoch that is played, where it begins anew.
    /// - Throws: ``ReplayError`` when no more can be read.
    public mutating func due(at now: Moment, ofEpoch present: Int64?) throws(ReplayError) -> [WaveUpdate] {
        if epoch == nil {
            guard let present else { return [] }
            epoch = present
            unread = now.wallMilliseconds.subtractingSaturated(Self.reach)
            // What had come before belongs to the time before.
            repeat {
                try read()
                synchronize(at: now)
                while let block = blocks.first, isDue(block, at: now) { blocks.removeFirst() }
            } while blocks.isEmpty && unread != nil
        }
        synchronize(at: now)
        var updates: [WaveUpdate] = []
        while let block = blocks.first, isDue(block, at: now) {
            blocks.removeFirst()
            updates.append(.block(shown(block, at: now)))
            if blocks.isEmpty { try read() }
        }
        let quiet = streams.filter { now.monotonic.nanoseconds(since: $0.value.end) >= Self.patience }
        return updates + ended(quiet.keys)
    }

    /// Forgets what it follows, and ends all streams, because the replay does not go on where it was.
    public mutating func interrupt() -> [WaveUpdate] {
        (epoch, blocks, unread, offset) = (nil, [], nil, nil)
        return ended(streams.keys)
    }

    private mutating func ended(_ found: some Collection<WaveStream>) -> [WaveUpdate] {
        let sorted = found.sorted { ($0.address, $0.kind.rawValue) < ($1.address, $1.kind.rawValue) }
        return sorted.compactMap { stream in
            streams.removeValue(forKey: stream).map { .state($0.sensor, stream.kind, .ended) }
        }
    }

    private func isDue(_ block: WaveBlock, at now: Moment) -> Bool {
        block.end.nanoseconds.addingSaturated(offset ?? 0) <= now.monotonicNanoseconds
    }

    /// Determines how the clock of the replay lies to the recorded one, by the wall times of both.
    private mutating func synchronize(at now: Moment) {
        guard let recorded = blocks.first?.arrived else { return }
        let distance = now.wallMilliseconds.subtractingSaturated(recorded.wallMilliseconds)
        let found = now.monotonicNanoseconds.subtractingSaturated(recorded.monotonicNanoseconds)
            .subtractingSaturated(distance.multipliedSaturated(by: 1_000_000))
        guard let offset, abs(found.subtractingSaturated(offset)) <= Self.drift else {
            self.offset = found
            return
        }
    }

    /// A block by the clock of the replay.
    private mutating func shown(_ block: WaveBlock, at now: Moment) -> WaveBlock {
        var shown = block
        shown.start = block.start.advanced(byNanoseconds: offset ?? 0)
        shown.arrived = now
        let last = streams[block.stream]?.end
        // The first one, and one after a jump of the clocks, joins nothing.
        let isJoined = last.map { abs(shown.start.nanoseconds(since: $0)) < Int64(saturating: block.interval) } ?? false
        shown.isContinuing = block.isContinuing && isJoined
        streams[block.stream] = (block.sensor, shown.end)
        return shown
    }

    /// Reads the next page of segments, with a connection of its own: a recording monitor is not blocked.
    private mutating func read() throws(ReplayError) {
        guard let epoch, let from = unread else { return }
        unread = nil
        do throws(StoreError) {
            guard let history = try StoredHistory.open(path) else { return }
            let page = try history.waves(ofEpoch: epoch, from: from, limit: Self.rowsOfPage)
            if let next = page.next, next <= from {
                throw StoreError(.corrupt, "\(path) is damaged: its waves are in no order")
            }
            unread = page.next
            let read = page.waves.flatMap { Self.blocks(of: $0.segment) }
            blocks += read.enumerated().sorted {
                ($0.element.end.nanoseconds, $0.offset) < ($1.element.end.nanoseconds, $1.offset)
            }
            .map(\.element)
        } catch {
            throw ReplayError(store: error)
        }
    }

    /// The parts of a segment, each as if it had arrived at its end.
    private static func blocks(of segment: WaveSegment) -> [WaveBlock] {
        let times = segment.offsets + [segment.nanoseconds]
        var blocks: [WaveBlock] = []
        var first = 0
        while first < segment.count {
            let end = (first + 1..<times.count).last { times[$0] - times[first] <= Self.length } ?? first + 1
            guard let part = segment[first..<end] else { break }
            let interval = Double(max(1, part.nanoseconds)) / Double(part.count)
            blocks.append(
                WaveBlock(
                    sensor: part.sensor, kind: part.kind, samples: part.samples, beats: part.beats,
                    start: part.start.monotonic, interval: interval, lost: part.lost, isContinuing: part.isContinuing,
                    arrived: part.end))
            first = end
        }
        return blocks
    }
}
