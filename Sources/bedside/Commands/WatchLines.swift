import Configuration
import Dashboard
import Formats
import Monitoring
import Terminal
import Vitals

/// The lines of `bedside watch`: of JSON for programs, or of words for people.
enum WatchLines {
    case json(WatchEncoder)
    case text(LineReport)

    init(isJSON: Bool, interval: Duration, _ settings: Settings, isSimulated: Bool) {
        if isJSON {
            self = .json(WatchEncoder(isSimulated: isSimulated, patient: settings.patient.name))
            return
        }
        var report = LineReport(interval: interval)
        report.isSimulated = isSimulated
        report.patient = settings.patient.name
        report.temperatureUnit = settings.screen.units == .fahrenheit ? .fahrenheit : .celsius
        report.isASCII = TerminalTraits.current().suitableGlyphs == .ascii || settings.screen.glyphs == .ascii
        self = .text(report)
    }

    /// Whether every line from now on says that its data are simulated.
    var isSimulated: Bool {
        get {
            switch self {
            case .json(let encoder): encoder.isSimulated
            case .text(let report): report.isSimulated
            }
        }
        set {
            change {
                $0.isSimulated = newValue
            } words: {
                $0.isSimulated = newValue
            }
        }
    }

    /// Whether every line from now on says that a recording is played.
    var isReplay: Bool {
        get {
            switch self {
            case .json(let encoder): encoder.isReplay
            case .text(let report): report.isReplay
            }
        }
        set {
            change {
                $0.isReplay = newValue
            } words: {
                $0.isReplay = newValue
            }
        }
    }

    /// The local time's distance from UTC in seconds; JSON is in UTC always.
    var timeZoneOffset: Int {
        get { if case .text(let report) = self { report.timeZoneOffset } else { 0 } }
        set {
            change { _ in
            } words: {
                $0.timeZoneOffset = newValue
            }
        }
    }

    /// When there will be a line though nothing happens.
    var nextDue: Moment? {
        if case .text(let report) = self { report.nextDue } else { nil }
    }

    /// Writes the lines of an event and of what it brought about.
    mutating func write(_ event: MonitorEvent, _ effects: [Effect], _ state: MonitorState) {
        change {
            $0.write(event)
            for effect in effects { $0.write(effect) }
        } words: {
            $0.handle(event, effects, state)
        }
    }

    /// Writes the lines of what happened without an event.
    mutating func write(_ effects: [Effect], _ state: MonitorState) {
        change { encoder in
            for effect in effects { encoder.write(effect) }
        } words: {
            $0.handle(effects, state)
        }
    }

    /// Writes the line that says that the playing of a recording has begun or ended.
    mutating func writeReplay(hasEnded: Bool, _ range: ClosedRange<Int64>, _ moment: Moment) {
        change {
            $0.writeReplay(hasEnded ? "ended" : "started", range, moment)
        } words: {
            $0.report(hasEnded ? "END OF REPLAY" : "a recording is played: nothing of it happens now", at: moment)
        }
    }

    /// The line that says that lines are lacking because nobody has read them.
    func line(about loss: LineOutput.Loss) -> [UInt8] {
        // In a copy, because what is being written in this turn comes after it.
        var copy = self
        copy.drain { _ in }
        copy.change {
            $0.writeLoss(ofLines: loss.lineCount, from: loss.from, to: loss.to)
        } words: {
            $0.reportLoss(ofLines: loss.lineCount, from: loss.from, to: loss.to)
        }
        var octets: [UInt8] = []
        copy.drain { octets = $0 }
        return octets
    }

    /// Hands over the lines written so far, if there are any.
    mutating func drain(_ body: ([UInt8]) -> Void) {
        change { encoder in
            if !encoder.isEmpty { encoder.takeLines(body) }
        } words: { report in
            if !report.isEmpty { body(Array(report.takeLines().utf8)) }
        }
    }

    /// Changes what is there in its place, without a copy of what it has written.
    private mutating func change(_ json: (inout WatchEncoder) -> Void, words: (inout LineReport) -> Void) {
        switch consume self {
        case .json(var encoder):
            json(&encoder)
            self = .json(encoder)
        case .text(var report):
            words(&report)
            self = .text(report)
        }
    }
}
