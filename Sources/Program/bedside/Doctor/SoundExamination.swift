import CommandLineInterface
import Doctor
import Loudspeaker

/// Examines the computer's sound system.
enum SoundExamination {
    /// Adds facts about sound, and plays a tone if the user requests it.
    static func run(_ facts: inout Facts, _ arguments: CommandLineArguments) {
        let extent: SoundCheck.Extent =
            arguments.has(.listen) ? .listen : arguments.has(.tone) ? .play : .open
        facts.signals.isToneWanted = extent != .open
        facts.signals.speakers =
            switch SoundCheck.run(extent) {
            case .opened: .opened
            case .played: .played
            case .listened(.heard(let decibels)): .heard(decibels: decibels)
            case .listened(.notHeard): .notHeard
            case .listened(.muted): .muted
            case .noMicrophone(let reason): .noMicrophone(reason: reason)
            case .unavailable(let reason): .unavailable(reason: reason)
            }
    }
}
