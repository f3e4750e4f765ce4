import Base
import Vitals
import WardMessages

/// The requests for the full picture of a bed that are on their way.
struct BirthRequests: Hashable, Sendable {
    /// After how long a request is repeated: the first times, and later.
    private static let firstRetry = Duration.seconds(2)
    private static let laterRetry = Duration.seconds(10)
    /// After how many requests without an answer the bed counts as one that does not answer.
    private static let enough = 3
    /// The number of requests whose answer is still good.
    private static let most = 4

    private var open: [(request: WardToken, asked: MonotonicTime)] = []
    /// How many were sent since the last answer.
    private(set) var unansweredCount = 0
    /// When one is due; `nil` when nothing is wanted.
    private(set) var due: MonotonicTime?

    static func == (left: BirthRequests, right: BirthRequests) -> Bool {
        left.due == right.due && left.unansweredCount == right.unansweredCount
            && left.open.map(\.request) == right.open.map(\.request)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(due)
        hasher.combine(unansweredCount)
    }

    /// Whether the bed has not answered for several requests.
    var isUnanswered: Bool { unansweredCount > Self.enough }

    /// Wants the full picture at a time, or earlier if that is wanted already.
    mutating func want(at time: MonotonicTime) {
        // A repeated question is not asked faster than the first one.
        if unansweredCount > 0, due != nil { return }
        due = min(due ?? time, time)
    }

    /// Records a request.
    mutating func asked(_ request: WardToken, at now: MonotonicTime) {
        open.append((request, now))
        if open.count > Self.most { open.removeFirst() }
        unansweredCount += 1
        due = now.advanced(by: isUnanswered ? Self.laterRetry : Self.firstRetry)
    }

    /// Records an answer.
    ///
    /// - Returns: When it was asked for; `nil` when it answers none of these requests.
    mutating func answered(_ request: WardToken?) -> MonotonicTime? {
        guard let place = open.firstIndex(where: { $0.request == request }) else { return nil }
        let asked = open[place].asked
        open.removeSubrange(...place)
        unansweredCount = 0
        due = nil
        return asked
    }

    /// Forgets all requests, of which no answer can come.
    mutating func forget() { self = BirthRequests() }

    /// Begins anew with another session, which may answer what was asked before it was heard.
    mutating func beginSession() { (unansweredCount, due) = (0, nil) }
}
