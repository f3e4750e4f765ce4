import Base
import Vitals

/// The stored nights of a ring as text.
package enum NightLabels {
    /// Which protocol a ring speaks.
    package static func text(_ generation: SensorNights.RingGeneration) -> String {
        switch generation {
        case .older: "older ring (O2Ring, Checkme O2, SleepU)"
        case .oxyII: "O2Ring S generation (OxyII)"
        }
    }

    /// When a night begins by the ring's clock, "2026-09-21 22:13", or its name where that is no time.
    package static func title(_ name: String) -> String {
        guard let start = NightName.start(name) else { return sanitized(name, limit: NightName.longest) }
        let parts = start.text.split(separator: "T")
        return "\(parts[0]) \(parts[1].prefix(5))"
    }

    /// How long a night is: "7 h 12 min".
    package static func length(minutes: Int) -> String {
        minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// What has become of a night.
    package static func text(_ state: SensorNights.State) -> String {
        switch state {
        case .onRing: "on the ring"
        case .partial(let percent): "\(percent) % here, the rest on the ring"
        case .fetching(let percent): "fetching \(percent) %"
        case .received: "being stored"
        case .stored: "stored"
        case .incomplete: "still being written; the ring completes it about two minutes after it is taken off"
        case .failed(let reason): "not stored: \(sanitized(reason, limit: 200))"
        }
    }

    /// What a list of sensors says of them: "hands over nights, 43 %", "2 new nights"; `nil` for nothing.
    package static func phrase(_ nights: SensorNights) -> String? {
        if nights.isTransferring {
            let percent = nights.nights?.lazy.compactMap { night in
                if case .fetching(let percent) = night.state { percent } else { nil }
            }.first
            return "hands over nights" + (percent.map { ", \($0) %" } ?? "")
        }
        let count = nights.new.count
        return count == 0 ? nil : count == 1 ? "1 new night" : "\(count) new nights"
    }
}
