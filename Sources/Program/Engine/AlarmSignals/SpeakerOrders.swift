import EventLoops
import Loudspeaker
import Monitoring
import Sounds

/// Whether alarms may sound through the computer's sound system.
package enum SpeakerUse: Hashable, Sendable {
    /// They may not.
    case none
    /// They do, and the terminal's bell rings where that does not work.
    case insteadOfBell
    /// They do, and the terminal's bell rings, too: the terminal is elsewhere.
    case besideBell
}

/// The orders for a speaker, which nobody waits for.
struct SpeakerOrders: Sendable {
    private let speaker: Speaker
    private let work: OrderedWork<[SoundOrder]>

    /// Starts a speaker.
    ///
    /// - Parameters:
    ///   - loop: The loop on whose thread it works.
    ///   - volume: How loud, in percent.
    ///   - onChange: Called on the loop's thread when it has changed whether anything is heard.
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
