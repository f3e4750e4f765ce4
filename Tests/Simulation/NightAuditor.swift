import TestSupport

/// Checks what the program shows in a night against what was true, without any code of the program.
///
/// It knows what each sensor measured and what could arrive. It has no alarm states and no deadlines, only the longest
/// times that a person may be left with something untrue.
final class NightAuditor {
    /// A sentence that does not hold.
    struct Finding: Sendable, CustomStringConvertible {
        var time: Double
        var sentence: String

        var description: String { "\(seconds(time)): \(sentence)" }

        /// The sentence without its numbers and what is behind a colon: the same for each time that the same thing is wrong.
        var rule: String {
            String(sentence.prefix { $0 != ":" }.map { $0.isNumber ? "#" : $0 })
        }
    }

    /// What does not hold; the first of each sentence.
    private(set) var findings: [Finding] = []
    /// The screen as it was when the first of them was found.
    private(set) var screen = ""
    /// How often which rule had something to check.
    private(set) var checks: [String: Int] = [:]

    private let night: Night
    private let alarms: AlarmAuditor
    private let answers: AcknowledgementAuditor
    private let sound = SoundAuditor()
    private let ages: AgeAuditor
    private var terminal: VirtualTerminal
    /// When the program was started last.
    private var start = 0.0
    /// The frame that is shown.
    private(set) var lastFrame: ShownFrame?
    /// When the number of each panel was last shown as it is.
    private var lastLive: [SensorTruth.Kind: Double] = [:]
    /// The values that were shown while they were measured, and when first, by the places of their sensors.
    private(set) var shown: [Int: [ShownValue]] = [:]
    /// The same, while it was shown for a moment only.
    private var glimpsed: [Int: ShownValue] = [:]

    /// A value that the program has shown.
    struct ShownValue {
        var time: Double
        var step: SensorTruth.Step
    }

    init(_ night: Night) {
        self.night = night
        alarms = AlarmAuditor(night)
        answers = AcknowledgementAuditor(night)
        ages = AgeAuditor(night)
        terminal = VirtualTerminal(columns: night.columns, rows: night.rows)
    }

    /// Begins to read the tape of a run of the program.
    func begin(at time: Double) {
        standing = [:]
        terminal = VirtualTerminal(columns: night.columns, rows: night.rows)
        start = time
        lastLive = [:]
        lastFrame = nil
        alarms.begin(at: time)
        answers.begin(at: time)
        sound.begin(at: time)
        ages.begin(at: time)
    }

    /// Follows what happened.
    func follow(_ entry: Tape.Entry) {
        switch entry.kind {
        case .resize:
            let size = entry.text.split(separator: " ").compactMap { Int($0) }
            if size.count == 2 { terminal.resize(columns: size[0], rows: size[1]) }
        case .output:
            settle(at: entry.time)
            checkOctets(entry)
            if night.printsLines { return }
            sound.follow(entry.octets, at: entry.time)
            entry.octets.withUnsafeBytes { _ = terminal.write($0) }
            checkFrame(at: entry.time)
        case .failure: report(entry.time, "the machine cannot go on: \(entry.text)")
        case .key:
            alarms.follow(key: entry.octets, at: entry.time)
            answers.follow(key: entry.octets, on: lastFrame, at: entry.time)
        case .fault, .program, .disk, .end, .message, .status: break
        }
    }

    /// The tape of a run has ended.
    func endRun(at time: Double) { settle(at: time) }

    /// Records what does not hold.
    func report(_ time: Double, _ sentence: String) {
        let finding = Finding(time: time, sentence: sentence)
        // The same one at other times would hide others.
        if findings.contains(where: { $0.rule == finding.rule }) { return }
        findings.append(finding)
        if screen.isEmpty {
            screen = terminal.rowTexts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        }
    }

    /// Counts that a rule had something to check.
    func count(_ rule: String) { checks[rule, default: 0] += 1 }

    // MARK: What stands on the screen

    /// What is wrong with the frame that is shown, and since when.
    private var standing: [String: Double] = [:]

    /// How long, in seconds, something may stand that the next frame puts right: nobody can read it.
    private static let glance = 0.2

    /// Notes what is wrong with a frame; it is a finding only when the frames after it do not put it right at once.
    private func note(_ wrong: [String], at time: Double) {
        settle(at: time)
        standing = standing.filter { wrong.contains($0.key) }
        for sentence in wrong where standing[sentence] == nil { standing[sentence] = time }
    }

    /// Reports what has stood too long.
    private func settle(at time: Double) {
        for (sentence, since) in standing where time - since > Self.glance { report(since, sentence) }
    }

    // MARK: Safety

    /// No control character of a name from the air reaches the terminal.
    private func checkOctets(_ entry: Tape.Entry) {
        let octets = Array(entry.octets)
        for hostile in ["\u{1B}[2J\u{07}", "\u{202E}"] where octets.holds(hostile) {
            report(entry.time, "a name from the air controls the terminal")
        }
    }

    private func checkFrame(at time: Double) {
        let frame = ShownFrame(terminal.rowTexts, at: time)
        let rows = frame.rows
        var wrong: [String] = []
        for (kind, shown) in frame.numbers.sorted(by: { $0.key.index < $1.key.index }) {
            count("a number is true")
            // Of several sensors that measure the same, a panel shows one.
            let truths = night.truths.filter { $0.kind == kind }
            if !truths.contains(where: { $0.isTrue(shown, from: time - $0.longestAge, to: time) }) {
                wrong.append("\(kind.titles[0]) shows \(shown), which it does not measure")
            }
            for truth in truths {
                guard let step = truth.step(shownAs: shown, at: time) else { continue }
                lastLive[kind] = time
                remember(step, of: truth.place, at: time)
                break
            }
        }
        if !frame.numbers.isEmpty {
            count("simulated data are labelled")
            if !rows.contains(where: { $0.holds("SIM") }) { wrong.append("simulated data are not labelled") }
        }
        wrong += missingAlarm(at: time, rows) + blame(at: time, rows) + sound.wrong(frame, count: count)
        wrong += alarms.wrong(frame, count: count) + answers.wrong(frame, count: count)
        wrong += ages.wrong(frame, count: count)
        lastFrame = frame
        note(wrong, at: time)
    }

    /// A saturation of less than 85 % that has arrived for half a minute, while nothing was wrong for a minute: an alarm for
    /// anybody who looks.
    func severeSaturation(at time: Double, since start: Double) -> SensorTruth.Step? {
        guard time > start + 75, let truth = night.truths.first(where: { $0.kind == .oximeter }),
            let step = truth.arriving.first(where: { $0.start <= time - 30 && $0.end > time }),
            let saturation = Int(step.value), saturation < 85,
            !night.faults.contains(where: { $0.start <= time && $0.end >= time - 75 })
        else { return nil }
        return step
    }

    private func missingAlarm(at time: Double, _ rows: [[UInt8]]) -> [String] {
        guard let step = severeSaturation(at: time, since: start) else { return [] }
        count("a low saturation is an alarm")
        let isShown = rows.contains { $0.holds("SpO₂ SEVERELY LOW") || $0.holds("SpO₂ LOW") }
        return isShown ? [] : ["no alarm for a saturation of \(step.value) %"]
    }

    /// Remembers what is shown for longer than a glance.
    private func remember(_ step: SensorTruth.Step, of sensor: Int, at time: Double) {
        if shown[sensor]?.last?.step.start == step.start { return }
        // Just after a sleep values of before may stand for a moment, and are not stored again.
        let hasJustWoken = night.faults.contains { $0.kind == .suspension && $0.end <= time && $0.end > time - 5 }
        if hasJustWoken { return }
        guard let first = glimpsed[sensor], first.step.start == step.start else {
            glimpsed[sensor] = ShownValue(time: time, step: step)
            return
        }
        if time - first.time > Self.glance { shown[sensor, default: []].append(first) }
    }

    /// Just after the computer has slept, no sensor is blamed for that nothing was heard.
    private func blame(at time: Double, _ rows: [[UInt8]]) -> [String] {
        let slept = night.faults.contains { fault in
            fault.kind == .suspension && time >= fault.end && time < fault.end + 2
                && !night.faults.contains { $0.isOfSensor && $0.end >= fault.start - 20 && $0.start <= time }
        }
        guard slept else { return [] }
        count("no sensor is blamed for a sleep")
        return rows.contains { $0.holds("SENSOR SILENT") } ? ["a sensor is blamed for the computer's sleep"] : []
    }

    // MARK: Liveness

    /// At the end, when all faults are over, every sensor that is there is live.
    func end() {
        if night.printsLines { return }
        for kind in SensorTruth.Kind.allCases {
            count("a present sensor is live at the end")
            // The page with the numbers is shown. Where nothing changes, such as with a scale of hours, nothing is drawn.
            let isStanding = lastFrame?.numbers[kind].map { number in
                night.truths.contains { $0.kind == kind && $0.step(shownAs: number, at: night.length - 1) != nil }
            }
            let last = lastLive[kind] ?? 0
            if last < night.length - 15, isStanding != true {
                report(night.length, "\(kind.titles[0]) is not live \(Int(Night.quiet)) s after the last fault")
            }
        }
    }
}
