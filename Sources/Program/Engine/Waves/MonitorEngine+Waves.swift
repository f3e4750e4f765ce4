import Configuration
import EventLoops
import Monitoring
import Recording
import Synchronization
import Vitals
import Waves

/// Who reads waves; each asks for the kinds that it needs, and gets a queue of its own.
package enum WaveReader: Hashable, Sendable {
    /// Draws them.
    case screen
    /// Records them.
    case recording
    /// Prints them.
    case lines
    /// Sends them to views.
    case views
    /// Estimates breathing.
    case respiration
    /// Sounds the pulse.
    case pulse
}

/// The unread waves of one reader, on any thread.
///
/// Values and alarms do not pass through it, so nothing that happens here can delay or lose one.
package final class WaveQueue: Sendable {
    private let unread = Mutex(UnreadWaves())

    package init() {}

    /// Adds an update.
    package func append(_ update: WaveUpdate) { unread.withLock { $0.append(update) } }

    /// Takes all unread updates, in order.
    package func takeAll() -> [WaveUpdate] { unread.withLock { $0.takeAll() } }

    /// How many samples of a stream were dropped unread so far.
    package func dropped(of stream: WaveStream) -> Int { unread.withLock { $0.dropped(of: stream) } }
}

/// The readers of waves, and what each has asked for.
struct WaveReaders {
    /// One reader.
    private struct Reading {
        var kinds: Set<WaveKind>
        /// Its queue; `nil` for one that puts them elsewhere.
        let queue: WaveQueue?
        let delivery: BroadcastDelivery
    }

    private var readings: [WaveReader: Reading] = [:]

    /// Every kind that somebody reads.
    var kinds: Set<WaveKind> { readings.values.reduce(into: []) { $0.formUnion($1.kinds) } }

    /// The queue of a reader; `nil` for one that does not read.
    func queue(of reader: WaveReader) -> WaveQueue? { readings[reader]?.queue }

    /// Whether somebody reads.
    func isReading(_ reader: WaveReader) -> Bool { readings[reader] != nil }

    /// Changes what a reader reads.
    mutating func change(_ reader: WaveReader, to kinds: Set<WaveKind>) { readings[reader]?.kinds = kinds }

    /// Ends a reader.
    mutating func end(_ reader: WaveReader) { readings[reader] = nil }

    /// Adds a reader, which begins with what comes from now on.
    mutating func begin(
        _ reader: WaveReader, _ kinds: Set<WaveKind>, _ queue: WaveQueue?, _ delivery: BroadcastDelivery
    ) {
        readings[reader] = Reading(kinds: kinds, queue: queue, delivery: delivery)
    }
}

// Waves, which pass beside the events: no value and no alarm waits for one.
extension MonitorEngine {
    /// Takes what a reader has not taken yet; empty for one that does not read.
    package func takeWaves(as reader: WaveReader) -> [WaveUpdate] { waveReaders.queue(of: reader)?.takeAll() ?? [] }

    /// Begins to read waves, or changes which ones; sensors are asked for what somebody reads, and for nothing else.
    ///
    /// - Parameters:
    ///   - kinds: The wanted kinds; none to end.
    ///   - reader: Who reads.
    /// - Returns: The reader's queue, the same each time; `nil` at the end, and for a feed without waves.
    @discardableResult
    package func readWaves(_ kinds: Set<WaveKind>, as reader: WaveReader) async -> WaveQueue? {
        if kinds.isEmpty {
            waveReaders.end(reader)
        } else if waveReaders.queue(of: reader) != nil {
            waveReaders.change(reader, to: kinds)
        } else if let updates = await feed.waveUpdates() {
            let queue = WaveQueue()
            waveReaders.begin(reader, kinds, queue, updates.deliver { queue.append($0) })
        }
        await feed.use(waves: waveReaders.kinds)
        return waveReaders.queue(of: reader)
    }

    /// Begins to record waves, if the settings want that, in an inbox that takes them at once and bounds what waits.
    func recordWaves(_ settings: Settings.Recording, in inbox: RecorderInbox) async {
        guard settings.isEnabled, settings.keepsWaves, let live = feed.live, let updates = await feed.waveUpdates()
        else {
            return
        }
        let kinds = Set(WaveKind.allCases.filter(\.traits.isShown))
        waveReaders.begin(
            .recording, kinds, nil, updates.deliver { if kinds.contains($0.stream.kind) { inbox.append($0) } })
        await live.use(waves: waveReaders.kinds)
    }

    /// Begins or ends to sound the pulse by the beats that are marked in waves, as the settings want it.
    ///
    /// No sensor is asked for a wave for that: it is used where somebody looks at it or records it.
    func followMarks() async {
        guard settings.alarms.hasPulseTone else { return waveReaders.end(.pulse) }
        guard !waveReaders.isReading(.pulse), let updates = await feed.waveUpdates(), !waveReaders.isReading(.pulse)
        else { return }
        waveReaders.begin(.pulse, [], nil, updates.deliver(to: self, on: loop) { $0.sound($1) })
    }

    private func sound(_ update: WaveUpdate) {
        guard !isClosing, dispatcher.sounds.hasPulseTone, case .block(let block) = update, !block.beats.isEmpty else {
            return
        }
        let now = feed.now()
        readState { dispatcher.sounds.soundPulse(of: block, at: now, in: $0) }
    }
}
