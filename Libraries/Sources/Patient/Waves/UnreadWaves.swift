import Base
import Vitals

/// The updates of waves that a reader has not taken yet: bounded for each stream, the oldest samples dropped and counted.
///
/// The block after dropped ones continues none, and has lost them.
public struct UnreadWaves: Sendable {
    private var updates: [WaveUpdate] = []
    private var samples: [WaveStream: Int] = [:]
    private var dropped: [WaveStream: Int] = [:]
    /// Samples that are missing before the next block of a stream.
    private var missing: [WaveStream: Int] = [:]
    private let limit: Int

    /// The most unread samples of a stream: half a minute of the fastest.
    public static let usualLimit = 4096
    /// The most streams; no bed has as many.
    private static let streamLimit = 64
    /// The most unread updates of a stream that are not samples.
    private static let stateLimit = 16

    /// - Parameter limit: The most unread samples of a stream.
    public init(limit: Int = Self.usualLimit) { self.limit = max(1, limit) }

    /// Adds an update.
    public mutating func append(_ update: WaveUpdate) {
        let stream = update.stream
        guard samples[stream] != nil || samples.count < Self.streamLimit else { return }
        switch update {
        case .block(let block):
            samples[stream, default: 0] += block.count
            updates.append(.block(missing.removeValue(forKey: stream).map { block.after(losing: $0) } ?? block))
            while samples[stream, default: 0] > limit, dropOldestBlock(of: stream) {}
        case .state:
            samples[stream, default: 0] += 0
            let states = updates.indices.filter { updates[$0].isState(of: stream) }
            // Only the newest ones tell something.
            if states.count >= Self.stateLimit { updates.remove(at: states[0]) }
            updates.append(update)
        }
    }

    /// Takes all of them, in order.
    public mutating func takeAll() -> [WaveUpdate] {
        defer { (updates, samples) = ([], [:]) }
        return updates
    }

    /// How many samples of a stream were dropped unread so far.
    public func dropped(of stream: WaveStream) -> Int { dropped[stream, default: 0] }

    private mutating func dropOldestBlock(of stream: WaveStream) -> Bool {
        let oldest = updates.firstIndex { update in
            if case .block(let block) = update { block.stream == stream } else { false }
        }
        guard let oldest, case .block(let block) = updates[oldest] else { return false }
        updates.remove(at: oldest)
        samples[stream, default: 0] -= block.count
        dropped[stream, default: 0] += block.count
        let lost = block.count.addingSaturated(block.lost)
        for place in oldest..<updates.count {
            guard case .block(let next) = updates[place], next.stream == stream else { continue }
            updates[place] = .block(next.after(losing: lost))
            return true
        }
        missing[stream] = lost
        return true
    }
}

extension WaveBlock {
    /// The block where samples before it were lost.
    fileprivate func after(losing count: Int) -> WaveBlock {
        var block = self
        (block.lost, block.isContinuing) = (lost.addingSaturated(count), false)
        block.beats.removeAll { $0 < 0 }
        return block
    }
}

extension WaveUpdate {
    fileprivate func isState(of stream: WaveStream) -> Bool {
        if case .state = self { self.stream == stream } else { false }
    }
}
