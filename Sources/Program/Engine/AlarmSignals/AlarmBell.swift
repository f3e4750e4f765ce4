import EventLoops
import Monitoring

/// Sounds a burst as rings of a bell, spaced by timers of the loop, so that nothing blocks while it sounds.
///
/// The pattern distinguishes the priorities as in IEC 60601-1-8: ten rings in two groups of five for high, three for
/// medium, one for low. The terminal decides how a ring sounds, if at all, and may merge rings that are close together.
/// Use it on the loop's thread only.
package final class AlarmBell {
    private let loop: EventLoop
    private let ring: @Sendable () -> Void
    private var rest: ArraySlice<Int> = []
    private var timer: LoopTimer?

    /// Makes a bell.
    ///
    /// - Parameters:
    ///   - loop: The loop whose timers space the rings.
    ///   - ring: Rings once, without blocking.
    package init(on loop: EventLoop, ring: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.ring = ring
    }

    /// The milliseconds between the rings of a burst.
    ///
    /// Even the longest burst ends after 2.1 seconds, before the next one may begin.
    package static func pauses(_ priority: AlarmPriority) -> [Int] {
        switch priority {
        case .high: [150, 150, 300, 150, 550, 150, 150, 300, 150]
        case .medium: [300, 300]
        case .low: []
        }
    }

    /// Begins a burst; one that still sounds stops.
    package func burst(_ priority: AlarmPriority) {
        stop()
        rest = Self.pauses(priority)[...]
        sound()
    }

    /// Sounds the single tone that reminds of alarms whose sound is paused or off.
    package func remind() {
        if timer == nil { ring() }
    }

    /// Stops the sound at once.
    package func stop() {
        rest = []
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func sound() {
        ring()
        guard let pause = rest.popFirst() else { return }
        timer = loop.schedule(after: .milliseconds(pause)) { [weak self] in
            self?.timer = nil
            self?.sound()
        }
    }
}
