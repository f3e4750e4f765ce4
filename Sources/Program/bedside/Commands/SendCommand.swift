import CommandLineInterface
import Configuration
import Engine
import EventLoops
import Formats
import Glibc
import HTTP
import Sending
import UserFiles
import Vitals

/// `bedside send`: sends the record to servers, in a process that may wait for them.
enum SendCommand {
    /// Sends until everything is sent, nothing can be sent any more, or a signal ends the process.
    ///
    /// A signal may end it at any moment, because the cursor is replaced as a whole.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let settings = try Settings.toStart(arguments)
        let isSimulated = arguments.has(.simulatedStore)
        let store: String
        do throws(UserFileError) {
            store = try StorePath.current(of: settings.patient.name, isSimulated: isSimulated)
        } catch {
            throw CommandError("There is no folder to look for the store in: \(error)", status: .noInput)
        }
        var options = StoreSender.Options(isForPresentPatient: arguments.has(.presentPatient))
        if arguments.has(.from) {
            let now = Moment.now().wallMilliseconds
            options.start = try HistoryRequest(arguments, start: .min, end: .max, now: now).range.lowerBound
        }
        let servers = try servers(settings.sending, isSimulated: isSimulated)
        var senders: [StoreSender] = []
        for server in servers { senders.append(try sender(server, settings.sending, from: store, options)) }
        return arguments.has(.once) ? sendOnce(senders) : send(senders)
    }

    // MARK: Servers

    /// A server of the configuration.
    private struct Server {
        var name: String
        var form: any SendingForm
        var secret = SendingSecret.none
        /// The address for messages of HL7 Version 2; `nil` for a server of HTTP.
        var engine: MLLPAddress?
    }

    private static func servers(
        _ settings: Settings.Sending, isSimulated: Bool
    ) throws(CommandError) -> [Server] {
        var servers: [Server] = []
        if let address = try address(settings.fhir, "fhir") {
            let patient = settings.fhirPatient.isEmpty ? nil : settings.fhirPatient
            if let patient, !FHIRTransaction.isPatient(patient) {
                throw CommandError(
                    "send.fhir_patient in the configuration is not a reference such as Patient/123.",
                    status: .configuration)
            }
            servers.append(
                Server(
                    name: "fhir", form: FHIRForm(address, patient: patient, isSimulated: isSimulated),
                    secret: try secret(settings.fhir, "fhir")))
        }
        if let address = try address(settings.nightscout, "nightscout") {
            if isSimulated {
                complain("send: nothing is sent to \(address), where simulated values would look real.")
            } else {
                let version: NightscoutForm.Version = settings.nightscoutVersion == .one ? .one : .three
                servers.append(
                    Server(
                        name: "nightscout", form: NightscoutForm(address, version),
                        secret: try secret(settings.nightscout, "nightscout")))
            }
        }
        let engines: [(String, HL7Form.Content, String)] = [
            ("hl7", .observations, settings.hl7), ("hl7_alarms", .alarms, settings.hl7Alarms),
        ]
        for (key, content, text) in engines where !text.isEmpty {
            guard let address = MLLPAddress(text) else {
                throw CommandError(
                    "send.\(key) in the configuration is not an address such as mllp://engine.example:2575.",
                    status: .configuration)
            }
            let form = HL7Form(
                address, content, patient: settings.hl7Patient, location: settings.hl7Location, isSimulated: isSimulated
            )
            servers.append(Server(name: key, form: form, engine: address))
        }
        guard servers.isEmpty else { return servers }
        throw CommandError(
            "There is no server to send to: name one in [send] of the configuration, such as send.fhir.",
            status: .configuration)
    }

    private static func address(
        _ server: Settings.Sending.Server, _ key: String
    ) throws(CommandError) -> ServerAddress? {
        if server.address.isEmpty { return nil }
        if let address = ServerAddress(server.address) { return address }
        throw CommandError(
            """
            send.\(key) in the configuration is not an address such as https://server.example/path; http:// is for this \
            computer only.
            """, status: .configuration)
    }

    private static func secret(
        _ server: Settings.Sending.Server, _ key: String
    ) throws(CommandError) -> SendingSecret {
        guard server.secret.isEmpty || server.secretCommand.isEmpty else {
            throw CommandError(
                "The configuration has both send.\(key)_secret and send.\(key)_secret_command; remove one.",
                status: .configuration)
        }
        if !server.secret.isEmpty { return .file(server.secret) }
        return server.secretCommand.isEmpty ? .none : .command(server.secretCommand)
    }

    private static func sender(
        _ server: Server, _ settings: Settings.Sending, from store: String, _ options: StoreSender.Options
    ) throws(CommandError) -> StoreSender {
        let send: (SendingRequest) throws(HTTPError) -> SendingAnswer
        do throws(HTTPError) {
            send = try client(server, authorities: settings.authorities.isEmpty ? nil : settings.authorities)
        } catch {
            throw CommandError("Nothing can be sent: \(error).", status: .unavailable)
        }
        do throws(UserFileError) {
            return try StoreSender(
                server.form, named: server.name, from: store, options, secret: server.secret,
                server: send,
                report: { report in
                    switch report {
                    case .notice(let sentence): _ = printText("bedside send: \(sentence)\n")
                    case .warning(let sentence): complain("send: \(sentence)")
                    }
                })
        } catch .busy {
            throw CommandError(
                "The record is sent to \(server.form.address) by another bedside send.", status: .alreadyMonitored)
        } catch {
            throw CommandError("Nothing can be sent: \(error)", status: .inputOutputError)
        }
    }

    /// What sends a request to a server, and waits for the answer.
    private static func client(
        _ server: Server, authorities: String?
    ) throws(HTTPError) -> (SendingRequest) throws(HTTPError) -> SendingAnswer {
        if let engine = server.engine {
            let client = try MLLPClient(engine, authorities: authorities)
            return { request throws(HTTPError) in
                guard case .message(let message) = request else { preconditionFailure("no message of HL7") }
                return .message(try client.send(message))
            }
        }
        let client = try HTTPClient(program: "bedside/\(Product.version)", authorities: authorities)
        return { request throws(HTTPError) in
            guard case .http(let request) = request else { preconditionFailure("no request of HTTP") }
            return .http(try client.send(request))
        }
    }

    // MARK: Steps

    /// Sends what is there.
    private static func sendOnce(_ senders: [StoreSender]) -> ExitStatus {
        var status = ExitStatus.success
        for sender in senders {
            var step = StoreSender.Step.another
            while step == .another { step = sender.step(now: Moment.now().wallMilliseconds) }
            switch step {
            case .another, .idle: break
            case .retry: status = .unavailable
            case .ended(let end): status = end.status
            }
            _ = printText("bedside send: \(sender.confirmedCount) sent to \(sender.address)\n")
        }
        return status
    }

    /// Sends until nothing can be sent any more.
    private static func send(_ senders: [StoreSender]) -> ExitStatus {
        var running = senders.map { (sender: $0, due: ContinuousClock.now) }
        var status = ExitStatus.success
        for sender in senders { _ = printText("bedside send: sending to \(sender.address)\n") }
        while let next = running.indices.min(by: { running[$0].due < running[$1].due }) {
            sleep(until: running[next].due)
            switch running[next].sender.step(now: Moment.now().wallMilliseconds) {
            case .another: running[next].due = .now
            case .retry(let delay), .idle(let delay): running[next].due = .now + delay
            case .ended(let end):
                status = end.status
                running.remove(at: next)
            }
        }
        return status
    }

    private static func sleep(until time: ContinuousClock.Instant) {
        let left = time - .now
        guard left > .zero else { return }
        _ = poll(
            nil, 0,
            Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1))
    }
}

extension StoreSender.End {
    fileprivate var status: ExitStatus {
        switch self {
        case .secret, .otherPatient: .configuration
        case .store: .inputOutputError
        }
    }
}
