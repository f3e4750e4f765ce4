import Foundation
import HTTP
import Monitoring
import Recording
import Sending
import TestSupport
import Testing
import UserFiles
import Vitals

@testable import Engine

/// A FHIR server within the test, which may fail.
private final class Server {
    /// What it does with a request: its status, or no answer.
    var failure: Int?
    var isAway = false
    /// A text that it refuses.
    var refused: String?
    var token: String?
    /// The addresses of all resources by how often they came.
    private(set) var stored: [String: Int] = [:]
    private(set) var requestCount = 0
    /// Called before each answer.
    var onRequest: () -> Void = {}

    func answer(_ request: SendingRequest) throws(HTTPError) -> SendingAnswer {
        guard case .http(let request) = request else { return .message([]) }
        return .http(try answer(request))
    }

    private func answer(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
        requestCount += 1
        onRequest()
        if isAway { throw HTTPError(.unreachable, "it cannot be reached") }
        if let failure { return HTTPResponse(status: failure) }
        if let token, !request.fields.contains(.init("Authorization", "Bearer \(token)")) {
            return HTTPResponse(status: 401)
        }
        let body = String(decoding: request.body, as: UTF8.self)
        if let refused, body.contains(refused) { return HTTPResponse(status: 422) }
        let urls = body.matches(of: /"fullUrl":"([^"]*)"/).map { String($0.1) }
        for url in urls { stored[url, default: 0] += 1 }
        let entries = urls.map { _ in #"{"response":{"status":"201"}}"# }.joined(separator: ",")
        let answer = #"{"type":"transaction-response","entry":[\#(entries)]}"#
        return HTTPResponse(status: 200, body: Array(answer.utf8))
    }
}

@Suite("A sender of a store")
struct StoreSenderTests {
    private let folder: ScratchFolder
    private let store: String
    private let server = Server()
    private let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    init() throws {
        folder = try ScratchFolder(isInMemory: true)
        store = "\(folder.path)/store.sqlite"
    }

    /// The wall time of the beginning of the first minute.
    private static let start: Int64 = 1_767_322_980_000

    private static func moment(_ second: Int64) -> Moment {
        Moment(monotonicNanoseconds: second * 1_000_000_000, wallMilliseconds: start + second * 1000)
    }

    /// The time when everything up to a second can be sent.
    private static func now(after second: Int64) -> Int64 { start + second * 1000 + 80_000 }

    private func append(_ rows: [RecordedRow]) throws {
        _ = try CollectedStore(path: store, day: "2026-01-02", retention: Retention()).append(rows)
    }

    /// Records a rate each ten seconds of some minutes.
    private func record(minutes: Range<Int64>) throws {
        try append(
            (minutes.lowerBound * 6..<minutes.upperBound * 6).map { number in
                let reading = Reading(
                    sensor: strap, vital: .heartRate,
                    outcome: .measured(VitalValue(whole: 60 + Int(number % 9)), .good),
                    moment: Self.moment(number * 10))
                return RecordedRow(.reading(reading), run: 1, number: 0)
            })
    }

    private func recordNewPatient(at second: Int64) throws {
        let action = AlarmLogEntry.Action(actor: .user, word: "new_patient", text: "another patient")
        try append([
            RecordedRow(
                .alarmLog(AlarmLogEntry(moment: Self.moment(second), content: .action(action))), run: 1, number: 1)
        ])
    }

    private final class Reports {
        var all: [StoreSender.Report] = []
        var warnings: [String] { all.compactMap { if case .warning(let text) = $0 { text } else { nil } } }
    }

    private let reports = Reports()

    /// A program that another test starts has the lock of a sender that has ended, too, until it has begun.
    private static let lockTimeout = 60_000

    private func sender(
        patient: String? = "Patient/1", _ options: StoreSender.Options = .init(), secret: SendingSecret = .none,
        lockTimeout: Int = lockTimeout
    ) throws -> StoreSender {
        let (server, reports) = (server, reports)
        return try StoreSender(
            FHIRForm(#require(ServerAddress("https://fhir.example")), patient: patient, isSimulated: false),
            named: "fhir", from: store, options, secret: secret, lockTimeout: lockTimeout,
            server: { request throws(HTTPError) in try server.answer(request) },
            report: { reports.all.append($0) })
    }

    /// Steps until there is nothing to do at once.
    private func run(_ sender: StoreSender, now: Int64) -> StoreSender.Step {
        var step = StoreSender.Step.another
        while step == .another { step = sender.step(now: now) }
        return step
    }

    /// How often the server got each resource except the sensor's, which each request has.
    private var counts: [Int] {
        server.stored.values.sorted().dropLast(server.stored.isEmpty ? 0 : 1)
    }

    @Test("sends a reading a minute, when the minute is over, and nothing twice")
    func minutes() throws {
        try record(minutes: 0..<3)
        let sender = try sender()
        #expect(run(sender, now: Self.start + 119_000) == .idle(for: StoreSender.pause))
        #expect(server.stored.count == 2)
        #expect(run(sender, now: Self.now(after: 180)) == .idle(for: StoreSender.pause))
        #expect(server.stored.count == 4)
        let requests = server.requestCount
        #expect(run(sender, now: Self.now(after: 999)) == .idle(for: StoreSender.pause))
        #expect(server.requestCount == requests)
        #expect(counts.allSatisfy { $0 == 1 })
        #expect(sender.confirmedCount == 3)
        #expect(reports.all.isEmpty)
    }

    @Test("does nothing without a store, and begins when there is one")
    func noStore() throws {
        let sender = try sender()
        #expect(run(sender, now: Self.now(after: 60)) == .idle(for: StoreSender.pause))
        try record(minutes: 0..<1)
        #expect(run(sender, now: Self.now(after: 60)) == .idle(for: StoreSender.pause))
        #expect(server.stored.count == 2)
    }

    @Test("loses nothing and sends nothing twice while the server is away for a week, and after a restart")
    func outage() throws {
        try record(minutes: 0..<10)
        server.isAway = true
        let first = try sender()
        for _ in 0..<50 {
            guard case .retry(let delay) = run(first, now: Self.now(after: 600)) else {
                Issue.record("it does not wait")
                return
            }
            #expect(delay >= .seconds(2))
            #expect(delay <= .seconds(300))
        }
        // Said once.
        #expect(
            reports.all == [
                .warning(
                    "https://fhir.example: it cannot be reached; nothing is lost, and the next attempt sends it")
            ])
        #expect(server.requestCount == 50)
        try record(minutes: 10..<10_080)
        server.isAway = false
        #expect(run(first, now: Self.now(after: 604_800)) == .idle(for: StoreSender.pause))
        #expect(reports.all.count == 2)
        #expect(server.stored.count == 10_081)
        #expect(counts.allSatisfy { $0 == 1 })
    }

    @Test("goes on after it has ended, without what the server has confirmed")
    func restart() throws {
        try record(minutes: 0..<5)
        do { _ = run(try sender(), now: Self.now(after: 300)) }
        try record(minutes: 5..<7)
        _ = run(try sender(), now: Self.now(after: 420))
        #expect(server.stored.count == 8)
        #expect(counts.allSatisfy { $0 == 1 })
    }

    @Test("sends again, as the same resources, what a server may have got before the process was killed")
    func killed() throws {
        try record(minutes: 0..<5)
        let (server, cursor) = (server, "\(store).send-fhir")
        var existed: [Bool] = []
        server.onRequest = { existed.append(FileManager.default.fileExists(atPath: cursor)) }
        let first = try sender()
        while server.stored.isEmpty { _ = first.step(now: Self.now(after: 300)) }
        // The answer was the last thing of the first process.
        #expect(existed == [false])
        let path = "\(folder.path)/second.sqlite"
        try FileManager.default.copyItem(atPath: store, toPath: path)
        let second = try StoreSender(
            FHIRForm(#require(ServerAddress("https://fhir.example")), patient: "Patient/1", isSimulated: false),
            named: "fhir", from: path, secret: .none,
            server: { request throws(HTTPError) in try server.answer(request) }, report: { _ in })
        _ = run(second, now: Self.now(after: 300))
        #expect(server.stored.count == 6)
        #expect(counts.allSatisfy { $0 == 2 })
    }

    @Test("leaves out only what the server refuses, and says what, without the value")
    func refusal() throws {
        try record(minutes: 0..<20)
        server.refused = "\"value\":62,"
        let sender = try sender()
        #expect(run(sender, now: Self.now(after: 1200)) == .idle(for: StoreSender.pause))
        let left = reports.warnings
        #expect(!left.isEmpty)
        #expect(server.stored.count == 21 - left.count)
        #expect(left.allSatisfy { $0.contains("it refuses heart rate of 2026-01-02T03:") && !$0.contains("62") })
        try record(minutes: 20..<21)
        server.refused = nil
        _ = run(sender, now: Self.now(after: 1260))
        #expect(server.stored.count == 22 - left.count)
    }

    @Test("keeps everything where the server refuses everything")
    func refusesEverything() throws {
        try record(minutes: 0..<4)
        server.failure = 400
        let sender = try sender()
        guard case .retry(let delay) = run(sender, now: Self.now(after: 240)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(delay >= .seconds(60))
        server.failure = nil
        _ = run(sender, now: Self.now(after: 240))
        #expect(server.stored.count == 5)
    }

    @Test("waits as long as the server wants, and after any failure of its", arguments: [404, 408, 429, 500, 503])
    func failures(status: Int) throws {
        try record(minutes: 0..<2)
        server.failure = status
        let sender = try sender()
        guard case .retry = run(sender, now: Self.now(after: 120)) else {
            Issue.record("it does not wait")
            return
        }
        server.failure = nil
        _ = run(sender, now: Self.now(after: 120))
        #expect(server.stored.count == 3)
    }

    private func secretFile(_ text: String, mode: Int = 0o600) throws -> String {
        let path = try folder.write(text, to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test("tries a wrong secret once, and says it without the secret")
    func wrongSecret() throws {
        try record(minutes: 0..<2)
        server.token = "right"
        let path = try secretFile("wrong\n")
        #expect(run(try sender(secret: .file(path)), now: Self.now(after: 120)) == .ended(.secret))
        #expect(server.requestCount == 1)
        #expect(reports.warnings.count == 1)
        #expect(!"\(reports.all)".contains("wrong"))
        _ = try secretFile("right\n")
        #expect(run(try sender(secret: .file(path)), now: Self.now(after: 120)) == .idle(for: StoreSender.pause))
        #expect(server.stored.count == 3)
    }

    @Test("reads a secret again that the server no longer accepts, from the file or the command")
    func renewedSecret() throws {
        try record(minutes: 0..<2)
        server.token = "one"
        let path = try secretFile("one\n")
        let sender = try sender(secret: .command("cat \(path)"))
        _ = run(sender, now: Self.now(after: 120))
        #expect(server.stored.count == 3)
        try record(minutes: 2..<3)
        server.token = "two"
        _ = try secretFile("two\n")
        #expect(run(sender, now: Self.now(after: 180)) == .idle(for: StoreSender.pause))
        #expect(server.stored.count == 4)
        #expect(reports.all.isEmpty)
        // A command that prints rejected ones for ever is not asked for ever.
        try record(minutes: 3..<4)
        server.token = "three"
        let requests = server.requestCount
        #expect(run(sender, now: Self.now(after: 240)) == .ended(.secret))
        #expect(server.requestCount == requests + 1)
    }

    @Test("does not use a secret that others can read, and tries a failed command again")
    func unusableSecret() throws {
        try record(minutes: 0..<2)
        let path = try secretFile("word\n", mode: 0o644)
        #expect(run(try sender(secret: .file(path)), now: Self.now(after: 120)) == .ended(.secret))
        #expect(reports.warnings.first?.contains("others can read \(path)") == true)
        #expect(server.requestCount == 0)
        for command in ["exit 3", "printf 'a\\tb'", "printf 'a\\nb'", "true"] {
            guard case .retry = run(try sender(secret: .command(command)), now: Self.now(after: 120)) else {
                Issue.record("\(command) does not wait")
                return
            }
        }
        #expect(server.requestCount == 0)
    }

    @Test("sends a patient's record only, and ends when another patient is monitored, until that is confirmed")
    func patients() throws {
        try record(minutes: 0..<2)
        #expect(run(try sender(), now: Self.now(after: 120)) == .idle(for: StoreSender.pause))
        try record(minutes: 2..<3)
        try recordNewPatient(at: 180)
        try record(minutes: 3..<5)
        #expect(run(try sender(), now: Self.now(after: 300)) == .ended(.otherPatient))
        // The first patient's three minutes, and the sensor.
        #expect(server.stored.count == 4)
        #expect(reports.warnings.count == 1)
        #expect(run(try sender(), now: Self.now(after: 300)) == .ended(.otherPatient))
        #expect(server.stored.count == 4)
        let confirmed = StoreSender.Options(isForPresentPatient: true)
        #expect(run(try sender(confirmed), now: Self.now(after: 300)) == .idle(for: StoreSender.pause))
        #expect(server.stored.count == 6)
        // Confirmed once, and not begun anew each time.
        #expect(run(try sender(confirmed), now: Self.now(after: 300)) == .idle(for: StoreSender.pause))
        #expect(counts.allSatisfy { $0 == 1 })
    }

    @Test("sends the present patient's record under another reference, and a bed's without one")
    func otherReference() throws {
        try record(minutes: 0..<2)
        try recordNewPatient(at: 120)
        try record(minutes: 2..<5)
        _ = run(try sender(patient: "Patient/2"), now: Self.now(after: 300))
        #expect(server.stored.count == 4)
        // The whole bed, begun anew.
        _ = run(try sender(patient: nil), now: Self.now(after: 300))
        #expect(server.stored.count == 6)
    }

    @Test("begins where the user says, the first time")
    func start() throws {
        try record(minutes: 0..<10)
        let options = StoreSender.Options(start: Self.moment(300).wallMilliseconds)
        _ = run(try sender(options), now: Self.now(after: 600))
        #expect(server.stored.count == 6)
        _ = run(try sender(), now: Self.now(after: 600))
        #expect(server.stored.count == 6)
    }

    @Test("sends a message of HL7 only once, though its batch was not finished when the process was killed")
    func messages() throws {
        try record(minutes: 0..<8)
        var identifiers: [String] = []
        func sender(limit: Int) throws -> StoreSender {
            try StoreSender(
                HL7Form(
                    #require(MLLPAddress("mllp://engine.example")), .observations, patient: "", location: "",
                    isSimulated: false), named: "hl7", from: store, secret: .none, lockTimeout: Self.lockTimeout,
                server: { request throws(HTTPError) in
                    guard case .message(let message) = request, identifiers.count < limit else {
                        throw HTTPError(.unreachable, "it cannot be reached")
                    }
                    let fields = String(decoding: message, as: UTF8.self).split(
                        separator: "|", omittingEmptySubsequences: false)
                    identifiers.append(String(fields[9]))
                    return .message(Array("MSH|^~\\&|\rMSA|AA|\(fields[9])\r".utf8))
                }, report: { _ in })
        }
        guard case .retry = run(try sender(limit: 3), now: Self.now(after: 480)) else {
            Issue.record("it does not wait")
            return
        }
        // More has been recorded by then, so the batch is another one.
        try record(minutes: 8..<10)
        #expect(run(try sender(limit: .max), now: Self.now(after: 600)) == .idle(for: StoreSender.pause))
        #expect(identifiers.count == 10)
        #expect(Set(identifiers).count == 10)
    }

    @Test("is the only one for its server")
    func lock() throws {
        try record(minutes: 0..<1)
        let first = try sender()
        #expect(throws: UserFileError.self) { try sender(lockTimeout: 0) }
        withExtendedLifetime(first) {}
    }
}
