import Appearance
import Base
import Dashboard
import Vitals
import Ward

/// The line of `bedside ward status`: how many beds have a link, which have none, and the worst alarm.
public struct WardStatusLine: Hashable, Sendable {
    /// The line, without its end.
    public let text: String

    /// Describes a ward.
    ///
    /// - Parameters:
    ///   - state: The state of the ward.
    ///   - glyphs: The characters for marks.
    ///   - timeZoneOffset: The local time's offset from UTC in seconds.
    ///   - now: The present moment.
    public init(_ state: WardState, glyphs: GlyphSet, timeZoneOffset: Int, now: Moment) {
        var screen = WardScreenState()
        (screen.glyphs, screen.timeZoneOffset) = (glyphs, timeZoneOffset)
        let scene = WardScene(state: state, screen: screen, now: now)
        let summary = WardSummary(state)
        if case .lost(let reason) = state.broker {
            text = "no broker: \(reason)"
            return
        }
        if summary.condition == .noBroker {
            text = "no broker: it has not answered"
            return
        }
        if summary.bedCount == 0 {
            text = "no bed has been heard of"
            return
        }
        let isAllLive = summary.liveCount == summary.bedCount
        var parts: [String] = []
        func list(_ title: String, _ beds: [String]) {
            if beds.isEmpty { return }
            let more = beds.count > 5 ? " and \(beds.count - 5) more" : ""
            parts.append("\(title): \(beds.prefix(5).joined(separator: ", "))\(more)")
        }
        list("NO PLACE for beds that are heard", summary.noPlace.map { state.label(of: $0) })
        if !parts.isEmpty { parts.append("their alarms are not known here; \(state.placeRemedy)") }
        parts.append(
            "\(summary.bedCount) \(summary.bedCount == 1 ? "bed" : "beds"), "
                + (isAllLive ? "all live" : "\(summary.liveCount) live"))
        list("SIMULATED", summary.simulated.map { state.label(of: $0) })
        list("REPLAY", summary.replayed.map { state.label(of: $0) })
        list("not heard", summary.notHeard.map { state.label(of: $0) })
        list("closed", summary.closed.map { state.label(of: $0) })
        // What is said first need not hide the worst alarm of a bed.
        if let worst = scene.items.first(where: { $0.own != .noPlace }) {
            parts.append(
                "\(summary.alarmCount) \(summary.alarmCount == 1 ? "alarm" : "alarms"), \(summary.unansweredCount) unanswered"
            )
            parts.append(worst.parts(scene).joined(separator: glyphs.dot))
        } else {
            parts.append(
                summary.noPlace.isEmpty && summary.notHeard.isEmpty
                    ? "no alarms" : "no alarms at the beds that are heard")
        }
        text = parts.joined(separator: "; ")
    }
}
