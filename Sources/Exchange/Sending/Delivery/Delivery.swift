/// The way of some documents to a server: in requests as large as possible, and where one is refused in smaller ones, until
/// only what is refused is left out.
///
/// A document is left out only if the server accepts another one of the same delivery. A server that refuses everything
/// is not what it should be, and nothing may be lost by that.
public struct Delivery: Hashable, Sendable {
    /// A document that the server refuses, with its reason.
    public struct Refusal: Hashable, Sendable {
        public var document: SendingDocument
        public var reason: String
    }

    public let documents: [SendingDocument]
    /// Those of each request that is to be sent, the next one first.
    private var ranges: [Range<Int>] = []
    private var accepted = 0
    /// What is left out.
    public private(set) var refusals: [Refusal] = []

    /// Begins.
    ///
    /// - Parameters:
    ///   - documents: The documents; those of one place follow each other.
    ///   - limit: The most documents in a request.
    public init(_ documents: [SendingDocument], atMost limit: Int) {
        var order: [String] = []
        for document in documents where !order.contains(document.place) { order.append(document.place) }
        self.documents = order.flatMap { place in documents.filter { $0.place == place } }
        var start = 0
        for place in self.documents.indices {
            let next = place + 1
            let isEnd = next == self.documents.count || self.documents[next].place != self.documents[start].place
            if isEnd || next - start == limit {
                ranges.append(start..<next)
                start = next
            }
        }
    }

    /// The documents of the next request; `nil` when there is no other one.
    public var next: ArraySlice<SendingDocument>? { ranges.first.map { documents[$0] } }

    /// Whether the server refuses everything: all of it is kept.
    public var isRefused: Bool { ranges.isEmpty && accepted == 0 && !refusals.isEmpty }

    /// Records that the server has accepted the documents of the next request.
    public mutating func accept() {
        accepted += ranges.removeFirst().count
    }

    /// Records that the server refuses those, so that each half is sent for itself, after everything else.
    public mutating func refuse(_ reason: String) {
        let range = ranges.removeFirst()
        guard range.count > 1 else {
            refusals.append(Refusal(document: documents[range.lowerBound], reason: reason))
            return
        }
        let middle = range.lowerBound + range.count / 2
        ranges += [range.lowerBound..<middle, middle..<range.upperBound]
    }
}
