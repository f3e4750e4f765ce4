import Configuration
import EventLoops
import Monitoring
import Sounds
import Vitals
import WardMessages

/// The sounds of a ward's alarms: the loudspeaker, or the terminal's bell as its replacement.
///
/// Nothing here blocks: the loudspeaker has a separate thread. Use it on the bell's loop only.
package final class WardSounder {
    /// Whether anything is heard through the sound system.
    package private(set) var output: SoundOutput?

    private let loop = EventLoop()
    private let reports: AsyncStream<AlarmDispatcher.Report>
    private let reporter: AsyncStream<AlarmDispatcher.Report>.Continuation
    private var sounds: AlarmSounds

    /// How long the end of the program waits for the sound system.
    private static let limit = Duration.seconds(2)

    /// Creates a sounder that is silent until it handles effects.
    ///
    /// - Parameters:
    ///   - settings: The use of the sound system and its volume; nothing is spoken.
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

    /// Reports whether the sound system works, on another thread, until the end.
    ///
    /// - Parameters:
    ///   - proof: Called when a probe was answered: a sound could be played now.
    ///   - report: Called when it begins to work or fails.
    package func begin(proof: @escaping @Sendable () -> Void, _ report: @escaping @Sendable (SoundOutput) -> Void) {
        Task(executorPreference: loop) { [reports] in
            for await message in reports {
                switch message {
                case .soundOutput(let output): report(output)
                case .soundProven: proof()
                default: break
                }
            }
        }
    }

    /// Asks the sound system whether a sound could be played now.
    package func probe() { sounds.probe() }

    /// Handles such a report.
    ///
    /// - Parameters:
    ///   - output: The report.
    ///   - sounding: The priority that sounds now.
    package func changed(to output: SoundOutput, sounding: AlarmPriority?) {
        if sounds.speakerChanged(to: output, sounding: sounding) { self.output = output }
    }

    /// Sounds effects.
    ///
    /// - Parameters:
    ///   - effects: Bursts and reminders.
    ///   - sounding: The priority that sounds now; `nil` silences a burst at once.
    ///   - category: The category of the worst alarm.
    package func handle(_ effects: [Effect], sounding: AlarmPriority?, category: () -> SoundCategory) {
        sounds.handle(effects, sounding: sounding, category: category)
    }

    /// Stops all sound.
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
        if let kind = alarm.kind {
            self.init(kind, alarm.vital)
        } else {
            // A newer version may know more kinds.
            self = alarm.alarmClass == .technical ? .equipment : .general
        }
    }
}
