import Configuration
import EventLoops
import Monitoring
import Sounds
import Vitals
import WardMessages

/// What is heard of the alarms of a ward: the loudspeaker, or the terminal's bell in its place.
///
/// Nothing here waits: the loudspeaker has a thread of its own. Use it on the bell's loop only.
package final class WardSounder {
    /// Whether anything is heard through the sound system.
    package private(set) var output: SoundOutput?

    private let loop = EventLoop()
    private let reports: AsyncStream<AlarmDispatcher.Report>
    private let reporter: AsyncStream<AlarmDispatcher.Report>.Continuation
    private var sounds: AlarmSounds

    /// How long the end of the program waits for the sound system.
    private static let limit = Duration.seconds(2)

    /// Creates what is silent until it handles effects.
    ///
    /// - Parameters:
    ///   - settings: Whether the sound system is used, and how loud; nothing is spoken.
    ///   - bell: The terminal's bell; `nil` for none.
    ///   - speakers: Whether the sound system may be used.
    package init(_ settings: Settings.Alarms, bell: AlarmBell?, speakers: SpeakerUse) {
        (reports, reporter) = AsyncStream<AlarmDispatcher.Report>.makeStream()
        loop.startThread(named: "signals")
        sounds = AlarmSounds(bell: bell, speakers, on: loop, reporter: reporter)
        var settings = settings
        settings.speech = .off
        _ = sounds.follow(settings)
    }

    /// Reports whether anything is heard through the sound system, on a thread of its own, until the end.
    package func begin(_ report: @escaping @Sendable (SoundOutput) -> Void) {
        Task(executorPreference: loop) { [reports] in
            for await case .soundOutput(let output) in reports { report(output) }
        }
    }

    /// Takes in such a report.
    ///
    /// - Parameters:
    ///   - output: What it says.
    ///   - sounding: The priority that sounds now.
    package func changed(to output: SoundOutput, sounding: AlarmPriority?) {
        if sounds.speakerChanged(to: output, sounding: sounding) { self.output = output }
    }

    /// Sounds what effects ask for.
    ///
    /// - Parameters:
    ///   - effects: Bursts and reminders.
    ///   - sounding: The priority that sounds now; `nil` silences a burst at once.
    ///   - category: What the worst alarm is about.
    package func handle(_ effects: [Effect], sounding: AlarmPriority?, category: () -> SoundCategory) {
        sounds.handle(effects, sounding: sounding, category: category)
    }

    /// Falls silent.
    package func close() async {
        sounds.stopBell()
        let end = sounds.end
        _ = await loop.result(within: Self.limit) { await end() }
        loop.stop()
        reporter.finish()
    }
}

extension SoundCategory {
    /// The category of an alarm at a bed.
    package init(_ alarm: WardAlarm) {
        if let kind = AlarmKind(rawValue: alarm.kind) {
            self.init(kind, alarm.vital)
        } else {
            // A newer version may know more kinds.
            self = alarm.alarmClass == .technical ? .equipment : .general
        }
    }
}
