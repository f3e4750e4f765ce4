import Base
import Vitals
import WardMessages

/// The pending requests for the full picture of a bed.
struct BirthRequests: Hashable, Sendable {
    /// The delay before a request is repeated: at first, and later.
    private static let firstRetry = Duration.seconds(2)
    private static let laterRetry = Duration.seconds(10)
    /// The number of unanswered requests after which the bed counts as not answering.
    private static let enough = 3
    /// The number of requests whose answer is still accepted.
    private static let most = 4

    private var open: [(request: WardToken, asked: MonotonicTime)] = []
    /// The number of requests since the last answer.
    private(set) var unansweredCount = 0
    /// When a request is due; `nil` for none.
    private(set) var due: MonotonicTime?

    static func == (left: BirthRequests, right: BirthRequests) -> Bool {
        left.due == right.due && left.unansweredCount == right.unansweredCount
            && left.open.map(\.request) == right.open.map(\.request)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(due)
        hasher.combine(unansweredCount)
    }

    /// Whether the bed has not answered several requests.
    var isUnanswered: Bool { unansweredCount > Self.enough }

    /// Schedules a request at a time, or earlier if one is scheduled already.
    mutating func want(at time: MonotonicTime) {
        // A repeated request is not sent faster than the first one.
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
    /// - Returns: When it was requested; `nil` if it answers none of these requests.
    mutating func answered(_ request: WardToken?) -> MonotonicTime? {
        guard let place = open.firstIndex(where: { $0.request == request }) else { return nil }
        let asked = open[place].asked
        open.removeSubrange(...place)
        unansweredCount = 0
        due = nil
        return asked
    }

    /// Forgets all requests, because no answer can arrive.
    mutating func forget() { self = BirthRequests() }

    /// Begins anew with another session, which may answer a request from before it was heard.
    mutating func beginSession() { (unansweredCount, due) = (0, nil) }
}
