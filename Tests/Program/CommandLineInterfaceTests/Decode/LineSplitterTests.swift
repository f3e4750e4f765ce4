import Testing

@testable import CommandLineInterface

@Suite("Lines out of chunks")
struct LineSplitterTests {
    private func lines(_ chunks: [[UInt8]]) -> [String] {
        var splitter = LineSplitter()
        var result: [String] = []
        let note = { (line: LineSplitter.Line) in
            switch line {
            case .text(let text): result.append(String(decoding: text, as: UTF8.self))
            case .tooLong: result.append("too long")
            }
        }
        for chunk in chunks {
            splitter.split(chunk[...], note)
        }
        splitter.finish(note)
        return result
    }

    @Test("the same lines come out however the input is cut", arguments: 1...12)
    func cuts(size: Int) {
        let input = Array("ab\r\n\ncd\nef".utf8)
        let chunks = stride(from: 0, to: input.count, by: size).map { Array(input[$0..<min($0 + size, input.count)]) }
        #expect(lines(chunks) == ["ab", "", "cd", "ef"])
    }

    @Test("a line that is too long is known as such, and the next one is read")
    func tooLong() {
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: LineSplitter.limit)
        let fitting = String(decoding: long, as: UTF8.self)
        #expect(lines([long, Array("\nb\n".utf8)]) == [fitting, "b"])
        #expect(lines([long, Array("a\nb\n".utf8)]) == ["too long", "b"])
        #expect(lines([long, long, long, Array("\nb".utf8)]) == ["too long", "b"])
        #expect(lines([long + Array("a\nb\n".utf8)]) == ["too long", "b"])
        #expect(lines([long, long]) == ["too long"])
        #expect(lines([]) == [])
    }
}
