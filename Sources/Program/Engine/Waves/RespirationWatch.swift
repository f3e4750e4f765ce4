import Monitoring
import Vitals
import WaveAnalysis
import Waves

/// Estimates breathing from the waves of every strap, each for itself.
struct RespirationWatch {
    /// What the estimates are made of.
    static let kinds: Set<WaveKind> = [.electrocardiogram, .acceleration]
    /// The most straps; no bed has as many.
    private static let strapLimit = 8

    private var straps: [String: RespirationEstimator] = [:]
    /// The straps whose newest report has a rate.
    private var reported: Set<String> = []

    /// Takes an update of a wave.
    ///
    /// - Returns: A new rate, or that there is none any longer; `nil` while there still is none.
    mutating func take(_ update: WaveUpdate) -> RespirationReport? {
        let (address, kind) = (update.stream.address, update.stream.kind)
        guard Self.kinds.contains(kind) else { return nil }
        switch update {
        case .block(let block):
            guard straps[address] != nil || straps.count < Self.strapLimit else { return nil }
            return straps[address, default: RespirationEstimator()].take(block).flatMap { news($0, of: address) }
        case .state(_, _, .off), .state(_, _, .ended), .state(_, _, .refused):
            straps[address] = nil
            guard reported.remove(address) != nil else { return nil }
            return RespirationReport(
                RespirationEstimate(end: MonotonicTime(nanoseconds: 0), result: .none(.incomplete)), from: address)
        case .state: return nil
        }
    }

    private mutating func news(_ estimate: RespirationEstimate, of address: String) -> RespirationReport? {
        let had = reported.contains(address)
        if estimate.rate == nil { reported.remove(address) } else { reported.insert(address) }
        return had || estimate.rate != nil ? RespirationReport(estimate, from: address) : nil
    }
}

extension MonitorEngine {
    /// Begins to estimate breathing, where the settings want that and sensors are here.
    func estimateRespiration() async {
        guard settings.sensors.estimatesRespiration, let live = feed.live, let updates = await feed.waveUpdates() else {
            return
        }
        let delivery = updates.deliver(to: self, on: loop) { $0.take($1) }
        waveReaders.begin(.respiration, RespirationWatch.kinds, nil, delivery)
        await live.use(waves: waveReaders.kinds)
    }

    private func take(_ update: WaveUpdate) {
        guard !isClosing, let report = respirationWatch.take(update) else { return }
        fold(.respiration(report, at: feed.now()))
    }
}
