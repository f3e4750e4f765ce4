import Base
import Nights
import Vitals

/// The night on the page of nights, and how much of it is read.
public struct NightView: Hashable, Sendable {
    /// The night; `nil` before the first answer, and without one.
    @Shared public var night: PatientNight?
    /// Whether it is being read.
    public var reading = DaysView.Reading.idle
    /// Whether there is an earlier, or a later, night.
    public var hasEarlier = false, hasLater = false
    /// The night that is wanted next; `nil` if none is.
    public var wanted: Wanted? = .last
    /// The oximeter of the night.
    private(set) var place = 0
    /// The lines scrolled past beside the picture.
    var scroll = LineScroll()

    /// A night that the program has to read.
    public enum Wanted: Hashable, Sendable {
        /// The last one.
        case last
        /// The one before, or after, the night that begins at this wall time.
        case before(Int64), after(Int64)
    }

    public init() {}

    /// The oximeter that is shown.
    var part: PatientNight.Part? {
        guard let parts = night?.parts, !parts.isEmpty else { return nil }
        return parts[min(place, parts.count - 1)]
    }

    /// Shows a night that was read.
    ///
    /// - Parameters:
    ///   - night: The night; `nil` where there is none.
    ///   - wanted: What was wanted; `nil` for the same night again.
    public mutating func show(_ night: PatientNight?, as wanted: Wanted?) {
        if night?.window != self.night?.window {
            scroll = LineScroll()
            // Going back in time, the last oximeter of a night comes first.
            place = 0
            if case .before = wanted { place = max(0, (night?.parts.count ?? 1) - 1) }
        } else if let shown = part?.course.sensor.address {
            // The order of the oximeters may have changed since.
            place = night?.parts.firstIndex { $0.course.sensor.address == shown } ?? 0
        }
        self.night = night
    }

    /// Steps to the oximeter or night before, or after; returns whether there is one.
    mutating func step(by step: Int) -> Bool {
        guard let night else { return false }
        if night.parts.indices.contains(place + step) {
            place += step
            scroll = LineScroll()
            return true
        }
        guard step < 0 ? hasEarlier : hasLater else { return false }
        wanted = step < 0 ? .before(night.window.lowerBound) : .after(night.window.lowerBound)
        return true
    }
}
