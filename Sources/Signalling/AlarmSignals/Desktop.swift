import DBus
import EventLoops

/// The program on a bus that shows notifications.
final class Desktop: Sendable {
    /// A change of the program or its notifications.
    enum Change: Sendable {
        /// The notification with this number was closed, by the user or by itself.
        case closed(UInt32)
        /// The program ended or was replaced, or the bus is lost.
        case gone
    }

    private static let service = "org.freedesktop.Notifications"
    private static let path = ObjectPath("/org/freedesktop/Notifications") ?? .root
    /// A desktop answers in milliseconds; one that starts for the first call may take some seconds.
    private static let timeout = Duration.seconds(10)

    /// Its name, such as `gnome-shell`.
    let name: String
    /// The desktop's changes from now on; ends with the bus.
    let changes: AsyncStream<Change>
    let connection: DBusConnection
    private let understandsMarkup: Bool

    private init(
        name: String, changes: AsyncStream<Change>, connection: DBusConnection, understandsMarkup: Bool
    ) {
        self.name = name
        self.changes = changes
        self.connection = connection
        self.understandsMarkup = understandsMarkup
    }

    /// Connects to a bus and finds the program that shows notifications; the bus starts it if possible.
    static func reach(
        on bus: BusAddress, within limit: Duration, loop: EventLoop
    ) async throws(DBusConnectionError) -> Desktop {
        let connection = try await DBusConnection.connect(to: bus, on: loop, within: limit)
        let (changes, continuation) = AsyncStream<Change>.makeStream()
        do throws(DBusConnectionError) {
            let information = try await call(connection, "GetServerInformation")
            let capabilities = try await call(connection, "GetCapabilities").first?.elements ?? []
            try await follow(connection, on: loop, continuation)
            return Desktop(
                name: information.first?.text ?? "", changes: changes, connection: connection,
                understandsMarkup: capabilities.contains { $0.text == "body-markup" })
        } catch {
            continuation.finish()
            await connection.close()
            throw error
        }
    }

    private static func follow(
        _ connection: DBusConnection, on loop: EventLoop, _ continuation: AsyncStream<Change>.Continuation
    ) async throws(DBusConnectionError) {
        let closings = try await connection.signals(
            matching: SignalMatch(sender: service, interface: service, member: "NotificationClosed", path: path))
        let owners = try await connection.signals(
            matching: SignalMatch(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
                firstArgument: service))
        Task(executorPreference: loop) {
            for await signal in closings {
                guard let number = signal.arguments.first?.integer else { continue }
                continuation.yield(.closed(UInt32(clamping: number)))
            }
        }
        Task(executorPreference: loop) {
            for await _ in owners { continuation.yield(.gone) }
            // The stream has ended, and so has the connection.
            continuation.yield(.gone)
            continuation.finish()
        }
    }

    /// Shows a notification; replaces the one with this number unless it is 0.
    ///
    /// - Returns: Its new number.
    func show(_ notification: DesktopNotification, replacing number: UInt32) async throws(DBusConnectionError) -> UInt32
    {
        let arguments = notification.arguments(replacing: number, understandsMarkup: understandsMarkup)
        let answer = try await Self.call(connection, "Notify", arguments)
        guard let number = answer.first?.integer, let valid = UInt32(exactly: number), valid != 0 else {
            throw .unexpectedReply(expected: "u", found: DBusSignature(answer.map(\.type)).description)
        }
        return valid
    }

    /// Closes a notification; returns the error, if any.
    func close(_ number: UInt32) async -> DBusConnectionError? {
        do throws(DBusConnectionError) {
            _ = try await Self.call(connection, "CloseNotification", [.uint32(number)])
            return nil
        } catch {
            return error
        }
    }

    private static func call(
        _ connection: DBusConnection, _ member: String, _ arguments: [DBusValue] = []
    ) async throws(DBusConnectionError) -> [DBusValue] {
        try await connection.call(service, path, service, member, arguments, timeout: timeout)
    }
}

/// The content of a desktop notification (Desktop Notifications Specification 1.2).
public struct DesktopNotification: Hashable, Sendable {
    /// The title in one line.
    public var summary: String
    /// The body, plain text.
    public var body: String
    public var urgency: Urgency

    public init(summary: String, body: String, urgency: Urgency) {
        self.summary = summary
        self.body = body
        self.urgency = urgency
    }

    /// The three urgencies of the specification; a desktop does not close critical ones by itself.
    public enum Urgency: UInt8, Hashable, Sendable {
        case low = 0
        case normal = 1
        case critical = 2
    }

    /// The arguments of `Notify`.
    ///
    /// - Parameters:
    ///   - replaced: The number of the notification to replace; 0 for none.
    ///   - understandsMarkup: Whether the desktop reads the body as markup, so that `<` and `&` must be escaped.
    func arguments(replacing replaced: UInt32, understandsMarkup: Bool) -> [DBusValue] {
        return [
            .string("Bedside"), .uint32(replaced), .string(""), .string(summary),
            .string(understandsMarkup ? Self.escaped(body) : body), .strings([]),
            .properties([("urgency", .byte(urgency.rawValue)), ("category", .string("device"))]),
            // -1: the desktop's default for the urgency; an alarm that persists must not disappear by itself.
            .int32(urgency == .low ? -1 : 0),
        ]
    }

    /// A text escaped for markup.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
