/// What the screen must say, and must not say, of sensors, Bluetooth and the computer: it follows from the faults of a night.
///
/// The bounds are the delays of the usual settings (`[technical]`), with what the way to the screen may take.
struct TechnicalAlarmModel {
    let night: Night

    /// How long, in seconds, the screen may take to say what has no delay of its own.
    private static let noticed = 3.0
    /// How long Bluetooth may be gone before that is an alarm (`system_delay`), and until it is noticed.
    private static let bluetoothGone = 5.0 + noticed
    /// How long a strap may be off the body (`sensor_off_delay`), and an oximeter without a value for whatever reason
    /// (`no_measurement_delay`), with a message from the sensor.
    private static let off: [SensorTruth.Kind: Double] = [.strap: 5 + noticed, .oximeter: 30 + noticed + 6]
    /// How long the disk may be full before somebody writes to it, and it is noticed: a second by the article *Recording*.
    private static let diskFull = 1.0 + noticed
    /// For how long the screen says that the clock was set, or that the computer slept (`notice_time`).
    private static let notice = 600.0
    /// The least steps of the clock and sleeps that are reported for certain.
    private static let certainGap = 30.0
    /// How long the last fault must be over before nothing is left of it: links are made again in this time, and alarms end.
    private static let calm = 75.0
    /// How long the way to Bluetooth may take to be there again, with the delay of the next alarm about it.
    private static let mended = 20.0 + bluetoothGone
    /// How long the screen may take to forget what is over.
    private static let over = 20.0
    /// How long a run may take to find its sensors, or all that a power cut has left.
    private static let beginning = 30.0

    /// What is wrong with the alarms of a frame.
    ///
    /// - Parameters:
    ///   - start: When the program was started last.
    ///   - count: Called with each rule that had something to check.
    func wrong(_ alarms: ShownAlarms, at time: Double, start: Double, count: (String) -> Void) -> [String] {
        missing(alarms, at: time, start: start, count: count) + unfounded(alarms, at: time, start: start, count: count)
    }

    // MARK: What must be there

    private func missing(_ alarms: ShownAlarms, at time: Double, start: Double, count: (String) -> Void) -> [String] {
        night.faults.compactMap { fault in
            guard fault.start > start, let (titles, span) = required(by: fault), span.contains(time) else { return nil }
            // Whoever begins takes the clock as it finds it.
            if fault.clockStep != 0, fault.start < start + Self.noticed { return nil }
            // Behind another fault it is seen only when that is mended, and what comes instead of it has a delay of its own.
            let isHidden = night.faults.contains { other in
                // One that begins meanwhile takes its place, with a delay of its own.
                // After the bus bluetoothd is there again only some seconds later.
                let isMended = other.end + 5 > fault.start && other.end < time && time - other.end < Self.mended
                let isNew = other.start > fault.start && other.start <= time && time - other.start < Self.mended
                return other.concernsBluetooth && (isMended || isNew)
            }
            if isHidden, fault.concernsBluetooth { return nil }
            count("a fault is an alarm: it \(fault.kind.rawValue)")
            let sensor = fault.usualSensor
            return alarms.show(titles, of: sensor) ? nil : "no alarm, although: \(fault.kind.rawValue)"
        }
    }

    /// The titles of which one must be shown because of a fault, and when.
    private func required(by fault: Fault) -> (titles: [AlarmTitle], span: ClosedRange<Double>)? {
        func span(after delay: Double, until end: Double) -> ClosedRange<Double>? {
            fault.start + delay < end ? (fault.start + delay)...end : nil
        }
        switch fault.kind {
        case .daemonKill, .busStop, .powerOff, .unplug, .block:
            // Two of them at a time have one alarm.
            let isAlone = isAlone(fault) { $0.concernsBluetooth }
            let titles = isAlone ? fault.kind.titles : AlarmTitle.aboutBluetooth
            return span(after: Self.bluetoothGone, until: fault.end).map { (titles, $0) }
        case .offBody:
            // Something else may keep its words from arriving.
            guard let kind = fault.usualSensor, let delay = Self.off[kind], isAlone(fault, { _ in true }) else {
                return nil
            }
            return span(after: delay, until: fault.end).map { ([.sensorOff, .noMeasurement], $0) }
        case .silence, .outOfRange:
            guard let kind = fault.usualSensor, isAlone(fault, { _ in true }) else { return nil }
            // Six intervals until it is silent, or a lost link with its delay, whichever is noticed.
            return span(after: 6 * kind.interval + 10 + Self.noticed, until: fault.end)
                .map { ([.sensorSilent, .linkLost], $0) }
        case .fullDisk:
            // Without Bluetooth there may be nothing to write, and a slow disk takes its time.
            guard isAlone(fault, { $0.concernsBluetooth || $0.kind == .slowDisk }) else { return nil }
            return span(after: Self.diskFull, until: fault.end).map { ([.storage], $0) }
        case .clockForward, .clockBack:
            guard Double(fault.clockStep.magnitude) / 1000 >= Self.certainGap else { return nil }
            return notice(from: fault.start).map { ([.clockSet], $0) }
        case .suspension:
            guard fault.sleep >= Self.certainGap else { return nil }
            return notice(from: fault.end).map { ([.notMonitored], $0) }
        default: return nil
        }
    }

    /// For how long the screen must say what happened, until the power fails.
    private func notice(from time: Double) -> ClosedRange<Double>? {
        let end = min(time + Self.notice - 1, night.powerCuts.first { $0 > time } ?? .infinity)
        return time + Self.noticed < end ? (time + Self.noticed)...end : nil
    }

    /// Whether no other fault of some kind was there shortly before a fault, or comes while it lasts.
    private func isAlone(_ fault: Fault, _ counts: (Fault) -> Bool) -> Bool {
        !night.faults.contains { other in
            (other.kind != fault.kind || other.start != fault.start) && counts(other)
                && other.start <= fault.end && other.end >= fault.start - Self.calm
        }
    }

    // MARK: What must stand in the place of a number

    /// What is wrong with the words of a frame in the place of numbers.
    func wrongWords(_ frame: ShownFrame, start: Double, count: (String) -> Void) -> [String] {
        var wrong: [String] = []
        for fault in night.faults where fault.start > start && fault.end >= frame.time {
            guard let (kinds, words, delay) = words(for: fault), frame.time >= fault.start + delay,
                isAlone(fault, { _ in true })
            else { continue }
            for kind in kinds {
                // Another page is open, or there is no room for a panel.
                guard frame.numbers[kind] != nil || frame.words[kind] != nil else { continue }
                count("a word stands in the place of a number that is missing")
                if !words.contains(frame.words[kind] ?? "") {
                    wrong.append("no word in the place of \(kind.titles[0]), although: \(fault.kind.rawValue)")
                }
            }
        }
        return wrong
    }

    /// The sensors that a fault silences, the words of which one must stand in the place of their numbers, and after how long.
    private func words(for fault: Fault) -> (kinds: [SensorTruth.Kind], words: [String], delay: Double)? {
        if !fault.kind.titles.isEmpty { return (SensorTruth.Kind.allCases, ["LOST"], Self.noticed) }
        // Where several sensors measure the same, the number of another one may stand there.
        guard night.hasUsualSensorsAlone, let kind = fault.usualSensor else { return nil }
        let isLost = 6 * kind.interval + Self.noticed
        return switch fault.kind {
        // The sensor says it with its next message; an oximeter may first have the values of before.
        case .offBody where kind == .strap: ([kind], ["OFF"], kind.interval + Self.noticed)
        case .offBody where kind == .oximeter: ([kind], ["OFF", "NONE"], 6 + Self.noticed)
        case .silence, .outOfRange: ([kind], ["SILENT", "LOST", "NONE"], isLost)
        default: nil
        }
    }

    // MARK: What must not be there

    private func unfounded(_ alarms: ShownAlarms, at time: Double, start: Double, count: (String) -> Void) -> [String] {
        guard time > start + Self.beginning else { return [] }
        func happened(within age: Double, _ isMeant: (Fault) -> Bool) -> Bool {
            night.faults.contains { $0.start <= time && $0.end >= time - age && isMeant($0) }
        }
        var wrong: [String] = []
        func forbid(_ titles: [AlarmTitle], of sensor: SensorTruth.Kind? = nil, _ sentence: String) {
            count("no alarm without its cause")
            let isShown = alarms.named.contains { alarm in
                alarm.title.map(titles.contains) == true && (sensor == nil || alarm.sensor == sensor)
            }
            if isShown { wrong.append(sentence) }
        }
        if !happened(within: Self.calm, { _ in true }) {
            forbid(AlarmTitle.aboutAbsence, "a sensor that measures is blamed")
        }
        for kind in SensorTruth.Kind.allCases
        where !happened(within: Self.over + Self.calm, { $0.kind == .offBody && $0.sensor == kind.index }) {
            forbid([.sensorOff], of: kind, "\(kind.calledOnScreen) is called off the body, and is worn")
        }
        if !happened(within: Self.calm, \.concernsBluetooth) {
            forbid(AlarmTitle.aboutBluetooth, "Bluetooth is there, and called gone")
        }
        if !happened(within: Self.calm, { [.fullDisk, .slowDisk].contains($0.kind) }) {
            forbid([.storage], "the disk is sound, and blamed")
        }
        let notice = Self.notice + Self.over
        if !happened(within: notice, { [.clockForward, .clockBack].contains($0.kind) }) {
            forbid([.clockSet], "the clock is called set, and was not")
        }
        if !happened(within: notice, { $0.concernsBluetooth || [.slowDisk, .fullDisk].contains($0.kind) }) {
            forbid([.notMonitored], "the computer was awake, and is called asleep")
        }
        return wrong
    }
}

extension Fault {
    /// The sensor that it happens to, where that is the first one of its kind.
    fileprivate var usualSensor: SensorTruth.Kind? {
        SensorTruth.Kind.allCases.first { isOfSensor && $0.index == sensor }
    }

    /// Whether nothing of Bluetooth may be heard because of it.
    fileprivate var concernsBluetooth: Bool {
        switch kind {
        case .daemonKill, .daemonRestart, .powerOff, .unplug, .block, .busStop, .denial, .slowBus, .pieces, .busHang,
            .drop, .suspension, .powerCut:
            true
        default: false
        }
    }
}

extension Fault.Kind {
    /// The titles of the alarm about Bluetooth.
    fileprivate var titles: [AlarmTitle] {
        switch self {
        case .daemonKill: [.notRunning]
        case .busStop: [.noBus]
        case .powerOff: [.isOff]
        case .unplug: [.noAdapter]
        case .block: [.blocked, .isOff]
        default: []
        }
    }
}
