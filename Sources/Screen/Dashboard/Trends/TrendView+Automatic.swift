import Appearance
import Monitoring
import Vitals

// The window that nobody has chosen: it grows with what is known, so that graphs are neither empty nor short.
extension TrendView {
    /// The windows that are taken without a choice, the longest first.
    static let automaticWindows: [TrendWindow] = [.eightHours, .hour, .tenMinutes, .twoMinutes]
    /// The share of a window, in percent, that must be known before it is taken.
    static let leastKnown = 60
    /// The share of the present window below which a shorter one is taken: less, so that a gap does not make it jump back
    /// and forth.
    static let leastKept = 40
    /// How often the share is determined anew.
    private static let pause = Duration.seconds(5)

    /// Takes the longest window of which enough is known, if the window is automatic and the present is shown.
    ///
    /// - Parameter known: The known share of a window in percent.
    mutating func follow(at now: Moment, known: (TrendWindow) -> Int) {
        guard isAutomatic, past == nil else { return }
        if let followed, now >= followed, now.since(followed) < Self.pause { return }
        followed = now
        let full = Self.automaticWindows.first { known($0) >= Self.leastKnown }
        // Without any data yet, the first minutes are seen soonest in the shortest.
        // A day that was looked at is none of them.
        let isOwn = Self.automaticWindows.contains(window)
        guard let full else {
            if !isOwn { window = .twoMinutes }
            return
        }
        if !isOwn || full.seconds > window.seconds || known(window) < Self.leastKept { window = full }
    }
}

extension MonitorState {
    /// The share of a window until now, in percent, in which the best known vital has values.
    func knownPercent(of window: TrendWindow, at now: Moment) -> Int {
        let parts = 60
        let start = now.advanced(by: .zero - window.duration)
        return vitals.map { vital in
            guard !vital.trend.isEmpty else { return 0 }
            let holding = vital.interval + vital.interval + vital.interval
            return vital.trend.samples(from: start, to: now, columns: parts, holding: holding).count { $0 != nil }
        }.max().map { $0 * 100 / parts } ?? 0
    }
}
