/// Checks that alarms sound as their rule says: by the terminal's bell, because the machine starts no sound process.
///
/// The articles *Alarms* and *Sound*: a burst of an unanswered alarm of high priority begins every five seconds, of medium
/// priority every fifteen; pauses are on the screen; what is answered or over is silent.
final class SoundAuditor {
    /// The longest times, in seconds, from one burst to the next (`high_gap`, `medium_gap`), by the marks of the alarm, each
    /// with a second for the way.
    private static let gaps = [3: 5.0 + 1, 2: 15.0 + 1]
    /// How long a burst of ten rings lasts.
    private static let burst = 3.0
    /// How long before the frame that shows its alarm a bell may ring.
    private static let ahead = 0.5
    /// The longest time from one frame to the next while somebody can hear the bell.
    private static let stop = 5.0

    /// Since when an unanswered alarm of each number of marks has stood without a pause.
    private var standsSince: [Int: Double] = [:]
    /// When there was last a reason for a sound.
    private var lastReason: Double?
    private var lastBell: Double?
    /// The first ring of which no frame has shown the reason yet, and how many there were since.
    private var unexplained: (time: Double, rings: Int)?
    private var lastFrame = 0.0
    /// Whether a control sequence with a text is being written, which may end with the octet of the bell.
    private var isInText = false
    private var lastOctet: UInt8 = 0

    /// The program starts.
    func begin(at time: Double) {
        standsSince = [:]
        (lastReason, lastBell, unexplained, lastFrame) = (nil, nil, nil, time)
        (isInText, lastOctet) = (false, 0)
    }

    /// What is written to the terminal.
    func follow(_ octets: ArraySlice<UInt8>, at time: Double) {
        var rings = 0
        for octet in octets {
            if lastOctet == 0x1B { isInText = octet == UInt8(ascii: "]") }
            if octet == 0x07 {
                if isInText { isInText = false } else { rings += 1 }
            }
            lastOctet = octet
        }
        if rings > 0 {
            lastBell = time
            unexplained = (unexplained?.time ?? time, (unexplained?.rings ?? 0) + rings)
        }
    }

    /// What is wrong with what is heard, and with the silence, until a frame.
    func wrong(_ frame: ShownFrame, count: (String) -> Void) -> [String] {
        let time = frame.time
        defer { lastFrame = time }
        // A stopped computer rings no bell.
        if time - lastFrame > Self.stop { standsSince = [:] }
        let isPaused = frame.holds("SOUND PAUSED") || frame.holds("PAUSED")
        let alarms = frame.alarms.named.filter { !$0.isAcknowledged && $0.standing != .over }
        // What is only counted may be anything; a pause ends with a sound, and has reminders.
        if !alarms.isEmpty || frame.alarms.unnamed > 0 || isPaused { lastReason = time }
        var wrong: [String] = []
        if let bell = unexplained {
            count("the bell rings for an alarm")
            if let lastReason, lastReason >= bell.time - Self.burst {
                unexplained = nil
            } else if time > bell.time + Self.ahead {
                unexplained = nil
                // An alarm may be over before a frame shows it, and then its burst is.
                if bell.rings > 1 { wrong.append("the bell rings, and no alarm is unanswered") }
            }
        }
        for (marks, gap) in Self.gaps {
            guard !isPaused, alarms.contains(where: { $0.marks == marks && !$0.isBack }) else {
                standsSince[marks] = nil
                continue
            }
            let since = standsSince[marks] ?? time
            standsSince[marks] = since
            guard time - since > gap else { continue }
            count("an unanswered alarm sounds in time")
            if time - max(lastBell ?? 0, since) > gap { wrong.append("an unanswered alarm is silent: \(marks) marks") }
        }
        return wrong
    }
}
