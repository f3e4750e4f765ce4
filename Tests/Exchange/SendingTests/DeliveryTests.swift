import Testing
import TestSupport

@testable import Sending

@Suite("The way of documents to a server")
struct DeliveryTests {
    private func documents(_ count: Int, place: String = "") -> [SendingDocument] {
        (0..<count).map { SendingDocument(place: place, parts: [[UInt8($0)]], title: "\(place)\($0)") }
    }

    /// Delivers to a server that refuses some documents; returns the titles that it has accepted, and the number of
    /// requests.
    private func deliver(_ delivery: inout Delivery, refusing: (String) -> Bool) -> (accepted: [String], count: Int) {
        var (accepted, count): ([String], Int) = ([], 0)
        while let next = delivery.next {
            count += 1
            if next.contains(where: { refusing($0.title) }) {
                delivery.refuse("no")
            } else {
                accepted += next.map(\.title)
                delivery.accept()
            }
        }
        return (accepted, count)
    }

    @Test("is in requests of at most so many documents, each for one place")
    func requests() {
        var delivery = Delivery(
            documents(5, place: "a") + documents(2, place: "b") + documents(1, place: "a"), atMost: 4)
        var sizes: [String] = []
        while let next = delivery.next {
            #expect(Set(next.map(\.place)).count == 1)
            sizes.append("\(next.first?.place ?? "")\(next.count)")
            delivery.accept()
        }
        #expect(sizes == ["a4", "a2", "b2"])
        #expect(!delivery.isRefused)
        #expect(Delivery([], atMost: 4).next == nil)
    }

    @Test("leaves out only what is refused, whatever that is", .serialized, arguments: 0..<200)
    func bisection(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 2...100, using: &random)
        let bad = Set(
            (0..<Int.random(in: 0...5, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) }
        )
        .filter { $0 < count - 1 }
        var delivery = Delivery(documents(count), atMost: Int.random(in: 1...count, using: &random))
        let (accepted, requests) = deliver(&delivery) { title in bad.contains { "\($0)" == title } }
        #expect(Set(accepted).count == accepted.count)
        #expect(Set(accepted) == Set((0..<count).filter { !bad.contains($0) }.map(String.init)))
        #expect(Set(delivery.refusals.map(\.document.title)) == Set(bad.map(String.init)))
        #expect(!delivery.isRefused)
        #expect(requests <= count + 1 + 2 * 8 * bad.count)
    }

    @Test("ends, and leaves out nothing, where a server refuses everything", arguments: [1, 2, 7, 200])
    func refused(count: Int) {
        var delivery = Delivery(documents(count), atMost: 200)
        let (accepted, requests) = deliver(&delivery) { _ in true }
        #expect(accepted.isEmpty)
        #expect(delivery.isRefused)
        #expect(requests <= 2 * count)
    }

    @Test("takes one refused document among the first for what it is, once anything is accepted")
    func oneAccepted() {
        var delivery = Delivery(documents(16), atMost: 16)
        let (accepted, _) = deliver(&delivery) { $0 != "15" }
        #expect(accepted == ["15"])
        #expect(delivery.refusals.count == 15)
        #expect(!delivery.isRefused)
    }
}
