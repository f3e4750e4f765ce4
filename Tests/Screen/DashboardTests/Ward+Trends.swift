import Monitoring
import Vitals

@testable import Dashboard

// Stories about the past, and for eyes far away.
extension Ward {
    /// Lets the trends know the hours before: single readings, one every `interval` seconds.
    mutating func restore(hours: Int, interval: Int, _ vital: Vital, _ value: (_ secondsAgo: Int) -> Int?) {
        var points: [RecordedTrend.Point] = []
        for secondsAgo in stride(from: hours * 3600, to: 0, by: -interval) {
            let outcome =
                value(secondsAgo).map { Reading.Outcome.measured(VitalValue(hundredths: $0), .good) }
                ?? .noMeasurement(.searching)
            let moment = now.advanced(by: .seconds(-secondsAgo))
            points.append(RecordedTrend.Point(wallMilliseconds: moment.wallMilliseconds, outcome))
        }
        state.restore([RecordedTrend(vital, points)], now: now)
    }

    /// A night in the trends, with a gap and a fall of the saturation, which is an alarm in the log.
    static func night() -> Ward {
        var ward = live(seconds: 240)
        ward.restore(hours: 8, interval: 60, .heartRate) { (13_000..<14_400).contains($0) ? nil : 6200 + $0 % 900 }
        ward.restore(hours: 8, interval: 60, .oxygenSaturation) { (7200..<8400).contains($0) ? 8500 : 9600 }
        ward.restore(hours: 8, interval: 60, .bodyTemperature) { 3690 + ($0 - 14_400) / 200 }
        for (ago, state) in [(8390, AlarmLogEntry.State.active), (7200, .ended)] {
            let moment = ward.now.advanced(by: .seconds(-ago))
            let change = AlarmLogEntry.Change(
                AlarmReport(
                    id: 1, kind: .low, priority: .medium, sensor: oximeter, vital: .oxygenSaturation,
                    sinceWallMilliseconds: moment.wallMilliseconds, text: ""), state)
            ward.screen.session.log.prepend([AlarmLogEntry(moment: moment, run: 3, content: .change(change))])
        }
        let entries = ward.screen.session.log.entries.sorted { $0.moment < $1.moment }
        ward.screen.session.log = AlarmLog(entries)
        ward.screen.trends.window = .eightHours
        return ward
    }

    /// The cursor stands in the fall of the saturation.
    static func history() -> Ward {
        var ward = night()
        ward.press(.left)
        for _ in 0..<9 { ward.press(.left) }
        return ward
    }

    /// An hour of the past, scrolled to; the cursor is in a gap.
    static func scrolledBack() -> Ward {
        var ward = night()
        ward.press(.character("+"))
        for _ in 0..<7 { ward.press(.character("[")) }
        for _ in 0..<8 { ward.press(.left) }
        ward.screen.session.isSimulated = true
        return ward
    }

    /// A story in the distance view.
    static func distance(_ ward: Ward) -> Ward {
        var ward = ward
        ward.press(.character("z"))
        return ward
    }

    /// Names and stories about trends and distance.
    static let trendStories: [(name: String, ward: Ward)] = [
        ("night", night()), ("history", history()), ("scrolled-back", scrolledBack()),
        ("distance", distance(live(seconds: 20))), ("distance-alarm", distance(simulated(several()))),
        ("distance-missing", distance(linkLost())), ("distance-stale", distance(stale())),
        ("distance-empty", distance(empty())),
    ]
}
