import TestSupport
import Testing

@testable import EventLoops

@Suite("Bytes that wait for a reader")
struct OutputBufferTests {
    @Test("come out as they went in, however they are cut", arguments: 0..<4)
    func order(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var buffer = OutputBuffer()
        var (next, expected) = (UInt8(0), UInt8(0))
        for _ in 0..<300 {
            let count = Int.random(in: 0...3000, using: &random)
            buffer.append(
                (0..<count).map { _ -> UInt8 in
                    defer { next &+= 1 }
                    return next
                })
            let read = Int.random(in: 0...(buffer.count + 5), using: &random)
            for byte in buffer.waiting.prefix(read) {
                guard byte == expected else {
                    Issue.record("\(byte) in place of \(expected)")
                    return
                }
                expected &+= 1
            }
            buffer.removeFirst(read)
        }
        #expect(buffer.count == buffer.waiting.count)
    }

    @Test("need no more memory than what waits, though the buffer is never empty")
    func memory() {
        var buffer = OutputBuffer()
        let line = [UInt8](repeating: 65, count: 1000)
        for _ in 0..<50 { buffer.append(line) }
        // A reader that is always fifty lines behind, for a hundred megabytes.
        for _ in 0..<100_000 {
            buffer.append(line)
            buffer.removeFirst(1000)
        }
        #expect(buffer.count == 50_000)
        #expect(buffer.memory < 1 << 20)
    }
}
