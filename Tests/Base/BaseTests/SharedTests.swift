import Testing

@testable import Base

@Suite("A shared value")
struct SharedTests {
    private struct Large: Codable, Hashable {
        @Shared var list = Array(0..<100)
        var count = 1
    }

    @Test("changes in the copy that is changed, and in no other")
    func copies() {
        let first = Large()
        var second = first
        second.list[0] = 7
        var third = second
        third.list.append(8)
        #expect(first.list[0] == 0 && second.list[0] == 7 && second.list.count == 100)
        #expect(third.list[0] == 7 && third.list.count == 101)
    }

    @Test("is compared and hashed by its content, not by its place")
    func comparison() {
        var other = Large()
        other.list[5] = 0
        #expect(Large() == Large() && Large().hashValue == Large().hashValue)
        #expect(Large() != other)
        other.list[5] = 5
        #expect(Large() == other)
    }

    @Test("takes one reference of the memory of what contains it")
    func size() {
        #expect(MemoryLayout<Shared<(Int, Int, Int, Int)>>.size == MemoryLayout<UnsafeRawPointer>.size)
    }
}
