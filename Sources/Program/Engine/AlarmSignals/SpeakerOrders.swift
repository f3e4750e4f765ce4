import EventLoops
import Loudspeaker
import Monitoring
import Sounds

/// Whether alarms may sound through the computer's sound system.
package enum SpeakerUse: Hashable, Sendable {
    /// The sound system is not used.
    case none
    /// The sound system is used, and the terminal's bell where it does not work.
    case insteadOfBell
    /// Both are used: the terminal is on another computer.
    case besideBell
}

/// The orders for a speaker, given without waiting.
struct SpeakerOrders: Sendable {
    private let speaker: Speaker
    private let work: OrderedWork<[SoundOrder]>

    /// Starts a speaker.
    ///
    /// - Parameters:
    ///   - loop: The loop on whose thread it works.
    ///   - volume: The volume in percent.
    ///   - onChange: Called on the loop's thread when sound begins to work or fails.
    init(on loop: EventLoop, volume: Int, onChange: @escaping @Sendable (SoundOutput) -> Void) {
        let speaker = Speaker(loop: loop, volume: SoundVolume(percent: volume)) { state in
            switch state {
            case .untried: break
            case .working: onChange(.working)
            case .unavailable(let reason): onChange(.unavailable(reason: reason))
            case .lost(let reason): onChange(.lost(reason: reason))
            }
        }
        self.speaker = speaker
        work = OrderedWork(on: loop) { await speaker.carryOut($0) }
        Task(executorPreference: loop) { await speaker.begin() }
    }

    /// Gives orders.
    func append(_ orders: [SoundOrder]) { work.append(orders) }

    /// Ends the sound.
    func close() async {
        await work.finish()
        await speaker.close()
    }
}
