import Base
import Formats
import HTTP
import Recording
import Sending
import UserFiles

/// Sends a store to a server, step by step, in a process that may wait; a monitor never waits for it.
///
/// The cursor moves when the server has confirmed everything before it, so an outage of any length loses nothing, and what
/// was confirmed is not sent again.
package final class StoreSender {
    /// What comes next.
    package enum Step: Hashable {
        /// Another step, at once.
        case another
        /// Another step after some time, because the server failed.
        case retry(after: Duration)
        /// Everything is sent; another step when there may be more.
        case idle(for: Duration)
        /// Nothing more is sent.
        case ended(End)
    }

    /// Why nothing more is sent.
    package enum End: Hashable {
        /// The server rejects the secret, or there is none to be read.
        case secret
        /// The store has another patient than the server.
        case otherPatient
        /// The store or the cursor cannot be used.
        case store
    }

    /// What the user hears.
    package enum Report: Hashable {
        case notice(String)
        case warning(String)
    }

    /// What of the store is sent, where there is no cursor for the server.
    package struct Options: Hashable {
        /// Since when something must have been measured, in milliseconds since 1970 (UTC).
        package var start = Int64.min
        /// Whether the server gets the present patient, whoever it got before.
        package var isForPresentPatient = false

        package init(start: Int64 = .min, isForPresentPatient: Bool = false) {
            (self.start, self.isForPresentPatient) = (start, isForPresentPatient)
        }
    }

    /// How long until something new may be in the store.
    static let pause = Duration.seconds(15)
    /// How long the newest minute may still be written after its end, in milliseconds.
    static let grace: Int64 = 10_000
    /// The most rows that are read at once: some minutes of many sensors.
    static let rowLimit = 2500

    private var form: any SendingForm
    private let store: String
    private let path: String
    private let options: Options
    private let server: (SendingRequest) throws(HTTPError) -> SendingAnswer
    private let secretSource: SendingSecret
    private let report: (Report) -> Void
    private let lock: FileLock

    /// How many parts the server has confirmed.
    package private(set) var confirmedCount = 0
    /// The server's address.
    package var address: String { form.address }

    private var cursor: SendingCursor?
    /// What is being sent, and the cursor after it.
    private var work: (delivery: Delivery, next: SendingCursor)?
    /// The secret, as it was read; `nil` where the server wants none.
    private var secret: String?
    /// What requests have: the secret, or what it was exchanged for.
    private var session: String?
    private var isLoggedIn = false
    /// Whether the server has rejected a secret since it has accepted one.
    private var wasRejected = false
    private var backoff = Backoff(first: .seconds(5), last: .seconds(300))
    private var isFailing = false

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - form: What the server understands.
    ///   - name: What distinguishes its cursor from others of the store, such as `fhir`.
    ///   - store: The path of the store.
    ///   - options: What of it is sent.
    ///   - secret: The secret for the server.
    ///   - lockTimeout: How long to wait for another process that sends, in milliseconds.
    ///   - server: Sends a request, and waits for the answer.
    ///   - report: Called with sentences for the user.
    /// - Throws: `UserFileError`: `.busy` where another process sends the store there.
    package init(
        _ form: any SendingForm, named name: String, from store: String, _ options: Options = Options(),
        secret: SendingSecret, lockTimeout: Int = 0,
        server: @escaping (SendingRequest) throws(HTTPError) -> SendingAnswer,
        report: @escaping (Report) -> Void
    ) throws(UserFileError) {
        (self.form, self.store, self.options) = (form, store, options)
        (path, secretSource) = (SendingCursor.path(beside: store, name), secret)
        (self.server, self.report) = (server, report)
        lock = try FileLock(for: path, timeout: lockTimeout)
    }

    /// Makes the next step: reads rows, or makes a request.
    ///
    /// - Parameter now: The wall time in milliseconds since 1970 (UTC).
    package func step(now: Int64) -> Step {
        guard let (delivery, next) = work else { return begin(now: now) }
        guard let documents = delivery.next else { return finish(delivery, next) }
        do throws(HTTPError) {
            if let step = try logIn() { return step }
            let answer = try server(form.request(with: documents, secret: session))
            return handle(form.verdict(onAnswer: answer, to: documents), documents)
        } catch {
            return fail(error.description)
        }
    }

    // MARK: Reading

    /// What is found in the store.
    private enum Found {
        case nothing
        case work(Delivery, SendingCursor)
        case otherPatient
    }

    /// Reads rows.
    private func begin(now: Int64) -> Step {
        do throws(UserFileError) {
            if cursor == nil { cursor = try SendingCursor.read(path) }
        } catch {
            return end(.store, "\(error)")
        }
        do throws(StoreError) {
            switch try find(now: now) {
            case .nothing: return .idle(for: Self.pause)
            case .work(let delivery, let next):
                work = (delivery, next)
                return .another
            case .otherPatient:
                return end(
                    .otherPatient,
                    """
                    another patient is monitored now, of whom nothing is sent there; name that patient's reference in the \
                    configuration, or confirm with bedside send --\(Self.confirmation) that the server's patient is this one
                    """)
            }
        } catch {
            // It may be busy, or on a disk that comes back.
            return fail("the store cannot be read (\(error))")
        }
    }

    /// The option by which a user says that the server's patient is the present one.
    package static let confirmation = "present-patient"

    private func find(now: Int64) throws(StoreError) -> Found {
        guard let history = try StoredHistory.open(store) else { return .nothing }
        let patients = try history.patients()
        var next = start(at: patients)
        let patient = patients.first { $0.number == next.record }
        let selection = RecordedBatch.Selection(
            notes: true, rrIntervals: false, wholeMinutesBefore: (now - Self.grace) / 60_000 * 60_000)
        guard let batch = try history.batch(after: next.history, atMost: Self.rowLimit, selection) else {
            return .nothing
        }
        if batch.rows.isEmpty, !batch.isFull {
            return next.record > 0 && next.record != patients.last?.number ? .otherPatient : .nothing
        }
        let items = SendingSelection(
            of: patient.map { .init(number: $0.number, range: $0.range) }, since: next.start
        ).items(batch.rows)
        form.prepare(EntrySurvey(try history.correctedEntries()))
        let confirmed = Set(next.confirmed)
        let documents = form.documents(of: items).filter { $0.identifier.map(confirmed.contains) != true }
        next.confirmed = []
        next.history = batch.next
        return .work(Delivery(documents, atMost: form.documentLimit), next)
    }

    /// The cursor to begin with: the known one, unless the server or its patient is another one now.
    private func start(at patients: [RecordedPatient]) -> SendingCursor {
        let present = form.isOfOnePatient ? patients.last?.number ?? 1 : 0
        let isOther = options.isForPresentPatient && cursor?.record != present
        if let cursor, cursor.target == form.target, !isOther { return cursor }
        let new = SendingCursor(target: form.target, record: present, start: options.start)
        cursor = new
        return new
    }

    // MARK: Sending

    /// Gets what requests need.
    ///
    /// - Returns: The step, if there is none.
    private func logIn() throws(HTTPError) -> Step? {
        if isLoggedIn { return nil }
        do throws(SecretFileError) {
            let former = secret
            secret = try secretSource.read()
            session = secret
            if wasRejected, secret == former, secret.flatMap({ form.login(with: $0) }) == nil { return rejected() }
        } catch {
            if case .command = secretSource { return fail(error.description) }
            return end(.secret, error.description)
        }
        if let secret, let request = form.login(with: secret) {
            guard case .http(let response) = try server(.http(request)) else {
                return fail("the answer to the secret is none of HTTP")
            }
            switch response.status {
            case 200...299:
                guard let exchanged = form.secret(in: response) else {
                    return fail("the answer to the secret is not that of such a server")
                }
                session = exchanged
            case 400, 401, 403: return rejected()
            default: return fail("status \(response.status)", retryAfter: response.retryAfter)
            }
        }
        isLoggedIn = true
        return nil
    }

    private func rejected() -> Step {
        end(.secret, "the server rejects the secret; it is tried again when bedside send is started again")
    }

    private func handle(_ verdict: SendingVerdict, _ documents: ArraySlice<SendingDocument>) -> Step {
        switch verdict {
        case .accepted:
            confirmedCount += documents.count
            work?.delivery.accept()
            wasRejected = false
            succeed()
            return confirm(documents)
        case .refused(let reason):
            work?.delivery.refuse(reason)
            return .another
        case .unauthorized:
            // A secret that does not last is read, or exchanged, once more.
            if wasRejected { return rejected() }
            (wasRejected, isLoggedIn) = (true, false)
            return .another
        case .failed(let reason, let retryAfter): return fail(reason, retryAfter: retryAfter)
        }
    }

    /// Stores that the server has documents that it would not recognise if they came again.
    private func confirm(_ documents: ArraySlice<SendingDocument>) -> Step {
        let identifiers = documents.compactMap(\.identifier)
        guard !identifiers.isEmpty, var now = cursor else { return .another }
        now.confirmed += identifiers
        cursor = now
        // Where that fails, the cursor behind all of them may still be stored.
        try? now.write(path)
        return .another
    }

    /// Moves the cursor behind what the server has.
    private func finish(_ delivery: Delivery, _ next: SendingCursor) -> Step {
        if delivery.isRefused {
            // It is read again, with what is new, of which something may be accepted.
            work = nil
            return fail("it accepts nothing (\(delivery.refusals.first?.reason ?? ""))", retryAfter: 60)
        }
        do throws(UserFileError) {
            try next.write(path)
        } catch {
            return fail("how far it has come cannot be stored (\(error))")
        }
        for refusal in delivery.refusals {
            warn("it refuses \(refusal.document.title), which is left out (\(refusal.reason))")
        }
        (cursor, work) = (next, nil)
        return .another
    }

    // MARK: Reports

    private func warn(_ phrase: String) {
        report(.warning("\(form.address): \(phrase)"))
    }

    private func end(_ end: End, _ phrase: String) -> Step {
        warn(phrase)
        return .ended(end)
    }

    private func fail(_ reason: String, retryAfter: Int64? = nil) -> Step {
        if !isFailing { warn("\(reason); nothing is lost, and the next attempt sends it") }
        isFailing = true
        let longest = backoff.next()
        // Beds that lose a server together do not return together.
        let delay = longest / 2 + .milliseconds(Int64.random(in: 0...longest.components.seconds * 500))
        return .retry(after: max(delay, .seconds(min(retryAfter ?? 0, 3600))))
    }

    private func succeed() {
        backoff.reset()
        if isFailing { report(.notice("\(form.address): it accepts again")) }
        isFailing = false
    }
}
