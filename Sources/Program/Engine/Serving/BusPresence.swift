import Base
import DBus
import EventLoops
import Glibc
import Status
import Vitals

/// A monitor's read-only object on the session bus: `io.bedside.Monitor1` at `/io/bedside/Monitor1`.
///
/// Callers never wait, not even at the end: another loop makes the connection, and its socket never blocks. While the
/// bus does not accept a connection, newer content replaces older.
final class BusPresence: Sendable {
    /// The interface, which is also the prefix of the names on the bus.
    static let interface = "io.bedside.Monitor1"
    static let path = ObjectPath("/io/bedside/Monitor1") ?? .root

    private let news: AsyncStream<News>.Continuation

    /// The published content.
    fileprivate struct News: Sendable {
        var line: String
        var status: String
        var patient: String
        var isSimulated: Bool
        var alarm: String
        var priority: String
    }

    /// The name on the bus, which ends with the patient's name, or with the process number for simulated sensors.
    static func name(of patient: PatientName?, isSimulated: Bool, process: pid_t = getpid()) -> String {
        if isSimulated { return "\(interface).simulated_\(process)" }
        guard let patient else { return interface }
        // The characters allowed in a name (D-Bus specification, "Valid Names"); others are written as their bytes.
        var name = "\(interface).patient_"
        for byte in patient.text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return name
    }

    /// Begins.
    ///
    /// - Parameters:
    ///   - name: The name to request on the bus.
    ///   - bus: The bus to connect to.
    ///   - loop: The loop that drives the connection: that of the callers, because another thread would be woken for
    ///     each status.
    init(name: String, bus: BusAddress = .session, on loop: EventLoop) {
        let (stream, continuation) = AsyncStream<News>.makeStream(bufferingPolicy: .bufferingNewest(1))
        news = continuation
        let object = BusObject(name: name, bus: bus, loop: loop)
        Task(executorPreference: loop) {
            for await news in stream { await object.report(news) }
            await object.end()
        }
    }

    /// Publishes the present status without waiting.
    func publish(_ summary: StatusSummary, text: String, json: [UInt8]) {
        news.yield(
            News(
                line: text, status: String(decoding: json.dropLast(), as: UTF8.self), patient: summary.patient ?? "",
                isSimulated: summary.isSimulated, alarm: summary.alarms.first?.text ?? "",
                priority: summary.alarms.first?.priority.rawValue ?? ""))
    }

    /// Leaves the bus without waiting.
    func close() {
        news.finish()
    }
}

private actor BusObject {
    private let name: String
    private let bus: BusAddress
    private let loop: EventLoop
    private var connection: DBusConnection?
    /// The earliest time of the next attempt, in nanoseconds of the monotonic clock.
    private var nextTry = Int64.min
    private var current: BusPresence.News?

    /// After a refusal, the bus is not asked again for each heart beat.
    private static let pause: Int64 = 30_000_000_000

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(name: String, bus: BusAddress, loop: EventLoop) {
        (self.name, self.bus, self.loop) = (name, bus, loop)
    }

    func report(_ news: BusPresence.News) async {
        let last = current
        current = news
        do throws(DBusConnectionError) {
            if let connection, await !connection.isDisconnected {
                try await announce(news, after: last, connection)
            } else if Timestamp.monotonicNow() >= nextTry {
                try await join(news)
            }
        } catch {
            await end()
            nextTry = Timestamp.monotonicNow() + Self.pause
        }
    }

    func end() async {
        let ending = connection
        connection = nil
        await ending?.close()
    }

    private func join(_ news: BusPresence.News) async throws(DBusConnectionError) {
        let connection = try await DBusConnection.connect(to: bus, on: loop)
        self.connection = connection
        let method = ExportedMethod("GetStatus", output: "s") {
            [weak self] (_: IncomingCall) async throws(DBusConnectionError) -> [DBusValue] in
            [.string(await self?.current?.status ?? "")]
        }
        try await connection.export(
            BusPresence.path,
            [
                ExportedInterface(
                    BusPresence.interface, properties: Self.properties(news), methods: [method],
                    signals: [ExportedSignal("Changed", "ss")])
            ])
        guard try await connection.requestName(name) else {
            throw .remote(name: "org.freedesktop.DBus.Error.Failed", message: "\(name) is taken")
        }
    }

    /// Announces the change in the standard way, which every library understands, and in one signal with all content.
    private func announce(
        _ news: BusPresence.News, after last: BusPresence.News?, _ connection: DBusConnection
    ) async throws(DBusConnectionError) {
        let known = last.map(Self.properties) ?? []
        let changed = Self.properties(news).filter { property in !known.contains { $0 == property } }
        if !changed.isEmpty {
            try await connection.setProperties(of: BusPresence.path, BusPresence.interface, changed)
        }
        try await connection.emit(
            BusPresence.path, BusPresence.interface, "Changed", [.string(news.line), .string(news.status)])
    }

    private static func properties(_ news: BusPresence.News) -> [(name: String, value: DBusValue)] {
        [
            ("Line", .string(news.line)), ("Status", .string(news.status)), ("Patient", .string(news.patient)),
            ("Simulated", .boolean(news.isSimulated)), ("Alarm", .string(news.alarm)),
            ("Priority", .string(news.priority)),
        ]
    }
}

/// Decides when a status is sent to the session bus: at once when more than numbers changed, else every five seconds.
///
/// The bus does not report whether it has listeners, and each signal wakes the bus and a thread. Alarms, their ends and
/// lost measurements are sent at once.
struct BusPacer {
    /// The delay of numbers.
    private var pace = Pace(interval: .seconds(5))
    private var lastSent: StatusSummary?

    /// The earliest time at which changes of numbers are sent, by the monotonic clock in nanoseconds.
    var numbersDue: Int64 { pace.next }

    /// Decides whether a status is sent now; if so, it counts as sent.
    ///
    /// - Parameters:
    ///   - summary: The status.
    ///   - now: The monotonic time, in nanoseconds.
    /// - Returns: When to send it; `nil` for now.
    mutating func delay(_ summary: StatusSummary, now: Int64) -> Int64? {
        let withoutNumbers = summary.withoutNumbers
        if withoutNumbers == lastSent, now < numbersDue { return numbersDue }
        pace.count(at: now)
        lastSent = withoutNumbers
        return nil
    }
}

extension StatusSummary {
    /// The status without the values, their ages and the texts that contain them.
    fileprivate var withoutNumbers: StatusSummary {
        var summary = fingerprint
        for index in summary.vitals.indices {
            summary.vitals[index].value = nil
            summary.vitals[index].age = nil
            summary.vitals[index].evaluatedAt = []
        }
        for index in summary.alarms.indices {
            summary.alarms[index].value = nil
            summary.alarms[index].peak = nil
            summary.alarms[index].text = ""
        }
        return summary
    }
}
