import JSON
import Monitoring
import Vitals

/// Writes events as the lines of `bedside watch --json`: one JSON object per line, schema version 1.
///
/// The buffer is reused; ``takeLines(_:)`` returns the lines since the last call.
public struct WatchEncoder {
    /// The bytes so far; the encoder of messages for a ward appends further fields.
    package var json = JSONWriter(capacity: 4096)
    private var time = TimestampText()
    /// Whether texts of fields are cut to what a reader of messages accepts.
    package var boundsTexts = false
    /// The labels of the session of later lines, whose times are in UTC.
    public var context: SessionContext

    /// Creates an encoder for a session.
    public init(_ context: SessionContext) {
        self.context = context
    }

    /// Creates an encoder of what is stored.
    ///
    /// - Parameters:
    ///   - isSimulated: Whether lines are marked as simulated.
    ///   - patient: The patient named in each line.
    public init(isSimulated: Bool, patient: PatientName? = nil) {
        self.init(SessionContext(provenance: isSimulated ? .simulated : .real, patient: patient, timeZoneOffset: 0))
    }

    /// Whether no lines wait.
    public var isEmpty: Bool { json.bytes.isEmpty }

    /// Passes the lines so far to `body` and removes them.
    public mutating func takeLines<Result>(_ body: ([UInt8]) throws -> Result) rethrows -> Result {
        defer { json.removeAll() }
        return try body(json.bytes)
    }

    /// Writes the line of an event; ticks have none.
    public mutating func write(_ event: MonitorEvent) {
        switch event.kind {
        case .bus(let state): bus(state, event.moment)
        case .daemon(let state): daemon(state, event.moment)
        case .adapter(let status):
            begin("adapter", event.moment, nil)
            fields(of: status)
            end()
        case .adapters(let all): adapters(all, event.moment)
        case .nearby(let sensor, let signalStrength, let services):
            peripheral(sensor, "nearby", signalStrength, services, event.moment)
        case .beacon(let sensor, let temperature):
            begin("beacon", event.moment, sensor)
            text("vital", Vital.bodyTemperature.rawValue)
            json.key("value")
            json.hundredths(temperature.hundredths)
            text("unit", Vital.bodyTemperature.unit)
            end()
        case .gone(let sensor): peripheral(sensor, "gone", nil, nil, event.moment)
        case .connection(let sensor, let state): connection(sensor, state, event.moment)
        case .reading(let reading): write(reading)
        case .battery(let sensor, let percent):
            begin("battery", event.moment, sensor)
            json.key("percent")
            json.integer(percent)
            end()
        // The effect is written, together with typed entries.
        case .entry: break
        case .cuffPressure(let sensor, let pressure):
            begin("cuff_pressure", event.moment, sensor)
            number("value", pressure)
            text("unit", "mm[Hg]")
            end()
        // The schema has no event for them; `bedside export --format rr` writes them.
        case .rrIntervals: break
        case .malformed(let sensor, let octets): malformed(sensor, octets, event.moment)
        case .gap(let gap): write(gap, event.moment)
        case .pairing(let sensor, let state): pairing(sensor, state, event.moment)
        // Remembered settings are internal; the other lines use the sensor's label.
        case .remembered, .forgotten: break
        // An alarm reports it.
        case .sensorsLeftOut: break
        // The schema has no event for it; what follows from it is in the ages of values.
        case .announcedInterval: break
        // The schema has no event for it; the status has it.
        case .transmitter: break
        // What has become of a night is a notice; its values are no readings.
        case .nights: break
        // No sensor is inspected here.
        case .services, .octets, .advertised: break
        // `bedside trace` prints it.
        case .traced: break
        // Lines are printed once, so a restart does not affect them.
        case .tick, .restarted: break
        }
    }

    /// Writes the line of an effect.
    public mutating func write(_ effect: Effect) {
        switch effect {
        case .alarm(let alarm, let moment), .unanswered(let alarm, let moment): write(AlarmReport(alarm), moment)
        case .reading(let reading): write(reading)
        case .action(let record): write(record)
        case .entry(let entry): write(entry)
        // An alarm that alerts again or is reset has not changed; sounds are not printed.
        case .alarmAgain, .latchReset, .soundBurst, .soundReminder, .deviceUsers, .calibrations: break
        }
    }

    /// Writes the line for the start or end of a replay.
    ///
    /// - Parameters:
    ///   - state: `started` or `ended`.
    ///   - range: The wall times of the replayed period, in milliseconds since 1970 (UTC).
    public mutating func writeReplay(_ state: String, _ range: ClosedRange<Int64>, _ moment: Moment) {
        begin("replay", moment, nil)
        text("state", state)
        wallTime("from", milliseconds: range.lowerBound)
        wallTime("to", milliseconds: range.upperBound)
        end()
    }

    // MARK: The events

    private mutating func bus(_ state: BusState, _ moment: Moment) {
        begin("bus", moment, nil)
        switch state {
        case .connected: text("state", "connected")
        case .silent: text("state", "silent")
        case .lost(let reason):
            text("state", "lost")
            text("reason", reason)
        case .foreign(let isMarked):
            text("state", "lost")
            text("reason", BusState.foreignText(isMarked: isMarked))
        }
        end()
    }

    private mutating func daemon(_ state: DaemonState, _ moment: Moment) {
        begin("daemon", moment, nil)
        switch state {
        case .running: text("state", "running")
        case .silent: text("state", "silent")
        case .gone: text("state", "gone")
        case .refused(let reason), .unusable(let reason):
            text("state", "gone")
            text("reason", reason)
        }
        end()
    }

    private mutating func adapters(_ all: [AdapterStatus], _ moment: Moment) {
        begin("adapters", moment, nil)
        json.key("adapters")
        json.beginArray()
        for status in all {
            json.beginObject()
            fields(of: status)
            json.endObject()
        }
        json.endArray()
        end()
    }

    private mutating func fields(of status: AdapterStatus) {
        text("id", status.identifier)
        text("address", status.address)
        text("state", status.power.rawValue)
        json.key("scanning")
        json.bool(status.isScanning)
        flag("switched_off_by_us", status.isSwitchedOffByUs)
        flag("hard_blocked", status.isHardBlocked)
        flag("hears_nothing", status.hearsNothing)
    }

    private mutating func peripheral(
        _ sensor: SensorIdentity, _ state: String, _ signalStrength: Int?, _ services: [String]?, _ moment: Moment
    ) {
        begin("peripheral", moment, sensor)
        text("state", state)
        number("rssi_dbm", signalStrength)
        if let services { texts("services", services) }
        end()
    }

    private mutating func connection(_ sensor: SensorIdentity, _ state: ConnectionState, _ moment: Moment) {
        begin("connection", moment, sensor)
        text("state", state.phase.rawValue)
        text("reason", state.reason?.rawValue)
        text("hint", state.hint(for: sensor.kind)?.rawValue)
        number("attempt", state.attempt)
        if let retryAt = state.retryAt {
            json.key("retry_in_s")
            json.hundredths(Int(max(0, retryAt.since(moment).nanoseconds / 10_000_000)))
        }
        end()
    }

    /// Writes the line of a stored reading.
    mutating func write(_ recorded: RecordedReading) {
        begin(recorded.reading)
        json.key("run")
        json.integer(recorded.run)
        json.key("monotonic_ns")
        json.integer(recorded.reading.moment.monotonicNanoseconds)
        end()
    }

    private mutating func write(_ reading: Reading) {
        begin(reading)
        end()
    }

    /// Writes the object of a reading, without its end.
    package mutating func begin(_ reading: Reading) {
        begin("reading", reading.moment, reading.sensor)
        text("vital", reading.vital.rawValue)
        switch reading.outcome {
        case .measured(let value, let quality):
            text("state", "measured")
            json.key("value")
            json.hundredths(value.hundredths)
            text("unit", reading.vital.unit)
            text("quality", quality.word)
            text("equipment", quality.equipmentWord)
            text("doubt", quality.doubtWord)
            write(reading.calibration)
        case .noMeasurement(let reason):
            text("state", "no_measurement")
            text("unit", reading.vital.unit)
            text("reason", reason.rawValue)
        }
        text("site", reading.site?.rawValue)
        text("device_time", reading.deviceTime?.text)
        guard let late = reading.late else { return }
        text("late", late.source.rawValue)
        wallTime("measured_from", late.from)
        wallTime("measured_to", late.to)
    }

    /// Writes what a value was calibrated with, and when the drop of blood was taken.
    mutating func write(_ calibration: AppliedCalibration?) {
        guard let calibration else { return }
        json.key("calibrated_with")
        json.hundredths(calibration.glucose.hundredths)
        wallTime("calibrated_at", milliseconds: calibration.wallMilliseconds)
    }

    private mutating func malformed(_ sensor: SensorIdentity, _ octets: MalformedOctets, _ moment: Moment) {
        begin("malformed", moment, sensor)
        text("characteristic", octets.characteristic)
        text("octets", WatchText.hexadecimal(octets.octets))
        text("reason", octets.reason)
        number("offset", octets.offset)
        end()
    }

    private mutating func write(_ gap: Gap, _ moment: Moment) {
        begin("gap", moment, nil)
        wallTime("from", gap.from)
        wallTime("to", gap.to)
        text("reason", gap.reason.rawValue)
        end()
    }

    /// Writes the line that replaces lines dropped because the reader was too slow.
    ///
    /// - Parameters:
    ///   - count: The number of dropped lines.
    ///   - from: The time of the first dropped line.
    ///   - to: The time of the last dropped line.
    public mutating func writeLoss(ofLines count: Int, from: Moment, to: Moment) {
        begin("gap", to, nil)
        wallTime("from", from)
        wallTime("to", to)
        text("reason", "reader")
        number("dropped_lines", count)
        end()
    }

    // MARK: The parts

    /// Writes the common fields of all objects.
    package mutating func begin(_ event: String, _ moment: Moment, _ sensor: SensorIdentity?) {
        begin(event, milliseconds: moment.wallMilliseconds, sensor)
    }

    package mutating func begin(_ event: String, milliseconds: Int64, _ sensor: SensorIdentity?) {
        json.beginObject()
        json.key("v")
        json.integer(1)
        wallTime("t", milliseconds: milliseconds)
        text("event", event)
        flag("simulated", context.isSimulated)
        flag("replay", context.isReplay)
        text("patient", context.patient?.text)
        guard let sensor else { return }
        json.key("sensor")
        json.beginObject()
        text("address", sensor.address)
        text("name", sensor.name)
        text("kind", sensor.kind.rawValue)
        json.endObject()
    }

    /// Ends an object and its line.
    package mutating func end() {
        json.endObject()
        json.newline()
    }

    package mutating func text(_ key: String, _ value: String?) {
        guard let value else { return }
        json.key(key)
        json.string(value)
    }

    package mutating func texts(_ key: String, _ values: [String]) {
        json.key(key)
        json.beginArray()
        for value in values { json.string(value) }
        json.endArray()
    }

    /// Writes a list of objects.
    package mutating func list<Elements: Collection>(
        _ key: String, _ elements: Elements, _ write: (inout WatchEncoder, Elements.Element) -> Void
    ) {
        json.key(key)
        json.beginArray()
        for element in elements {
            json.beginObject()
            write(&self, element)
            json.endObject()
        }
        json.endArray()
    }

    mutating func wallTime(_ key: String, _ moment: Moment) {
        wallTime(key, milliseconds: moment.wallMilliseconds)
    }

    package mutating func wallTime(_ key: String, milliseconds: Int64) {
        json.key(key)
        json.verbatimString { time.append(milliseconds, to: &$0) }
    }

    /// Writes a field only if it is true.
    package mutating func flag(_ key: String, _ isTrue: Bool) {
        guard isTrue else { return }
        json.key(key)
        json.bool(true)
    }

    package mutating func number(_ key: String, _ value: Int?) {
        guard let value else { return }
        json.key(key)
        json.integer(value)
    }
}

extension WatchEncoder {
    mutating func pairing(_ sensor: SensorIdentity, _ state: PairingState, _ moment: Moment) {
        begin("pairing", moment, sensor)
        switch state {
        case .needed(let reason):
            text("state", "needed")
            text("reason", reason)
        case .started: text("state", "started")
        case .passkey(let digits, let entered):
            text("state", "passkey")
            text("passkey", digits)
            number("entered", entered)
        case .pinCode(let code):
            text("state", "pin_code")
            text("pin_code", code)
        case .confirmPasskey(let digits):
            text("state", "confirm_passkey")
            text("passkey", digits)
        case .authorize: text("state", "authorize")
        case .passkeyWanted: text("state", "passkey_wanted")
        case .pinCodeWanted: text("state", "pin_code_wanted")
        case .succeeded: text("state", "succeeded")
        case .failed(let reason):
            text("state", "failed")
            text("reason", reason)
        }
        end()
    }
}
