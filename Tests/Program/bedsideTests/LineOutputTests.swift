import EventLoops
import Glibc
import TestSupport
import Testing
import Vitals

@testable import bedside

@Suite("Lines for a reader who stalls", .timeLimit(.minutes(10)))
struct LineOutputTests {
    private let running = RunningLoop()

    /// A pipe whose writing end is given away; what is read of it is whole lines.
    private final class Pipe {
        let reading: Int32
        let writing: Int32
        private(set) var text: [UInt8] = []

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            close(reading)
            close(writing)
        }

        /// Reads what is there, without waiting.
        func read() {
            var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while poll(&request, 1, 0) > 0 {
                let count = Glibc.read(reading, &buffer, buffer.count)
                if count <= 0 { return }
                text.append(contentsOf: buffer[..<count])
            }
        }

        var lines: [String] { String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init) }
    }

    private static func line(_ number: Int) -> [UInt8] {
        // As long as lines of JSON are.
        Array("\(number) \(String(repeating: "x", count: 190))\n".utf8)
    }

    @Test("are kept up to a limit; then a line says how many are lacking, in their place, and the newest come")
    func bounded() async throws {
        try await running.run { actor in
            let pipe = try Pipe()
            let output = LineOutput(descriptor: pipe.writing, loop: actor.loop, limit: 100_000) { _ in
                Issue.record("it cannot write")
            }
            var losses: [LineOutput.Loss] = []
            output.lossLine = { loss in
                losses.append(loss)
                return Array("LOST \(loss.lineCount)\n".utf8)
            }
            let before = Moment.now()
            for number in 0..<10_000 { output.write(Self.line(number)) }
            #expect(output.keptCount <= 100_000)
            try await awaitCondition("the reader has caught up") {
                pipe.read()
                return output.keptCount == 0
            }
            output.write(Self.line(10_000))
            pipe.read()
            #expect(losses.count == 1)
            let lost = try #require(losses.first)
            #expect(before <= lost.from && lost.from <= lost.to && lost.to <= .now())
            let lines = pipe.lines
            let place = try #require(lines.firstIndex { $0.hasPrefix("LOST ") })
            // Every line is there or counted, in its place; none is cut.
            #expect(lines.count - 1 + lost.lineCount == 10_001)
            #expect(lines[..<place].enumerated().allSatisfy { $1.hasPrefix("\($0) ") && $1.utf8.count > 190 })
            #expect(lines[place] == "LOST \(lost.lineCount)")
            #expect(lines[(place + 1)...].elementsEqual(["10000 \(String(repeating: "x", count: 190))"]))
        }
    }

    @Test("that are missing at the end are reported, too")
    func atTheEnd() async throws {
        try await running.run { actor in
            let pipe = try Pipe()
            let output = LineOutput(descriptor: pipe.writing, loop: actor.loop, limit: 1000) { _ in }
            output.lossLine = { Array("LOST \($0.lineCount)\n".utf8) }
            for number in 0..<2000 { output.write(Self.line(number)) }
            pipe.read()
            output.finish(within: .seconds(20))
            pipe.read()
            #expect(pipe.lines.last?.hasPrefix("LOST ") == true)
        }
    }

    @Test("say what is lacking in the words of watch, and as a gap of its JSON")
    func text() throws {
        let from = Moment(monotonicNanoseconds: 0, wallMilliseconds: 1_772_373_000_000)
        let loss = LineOutput.Loss(lineCount: 1234, from: from, to: from.advanced(by: .seconds(127)))
        var lines = WatchLines(
            isJSON: true, interval: .seconds(1), .init(),
            SessionContext(provenance: .simulated, patient: nil, timeZoneOffset: 0))
        let json = String(decoding: lines.line(about: loss), as: UTF8.self)
        #expect(
            json == """
                {"v":1,"t":"2026-03-01T13:52:07.000Z","event":"gap","simulated":true,"from":"2026-03-01T13:50:00.000Z",\
                "to":"2026-03-01T13:52:07.000Z","reason":"reader","dropped_lines":1234}

                """)
        lines = WatchLines(
            isJSON: false, interval: .seconds(1), .init(),
            SessionContext(provenance: .simulated, patient: nil, timeZoneOffset: 0))
        let words = String(decoding: lines.line(about: loss), as: UTF8.self)
        #expect(
            words.contains(
                "NOT WRITTEN: 1234 lines were dropped from 13:50:00 to 13:52:07, because the output was not read; monitoring went on\n"
            ), "\(words)")
        #expect(words.contains("SIMULATED"))
    }
}
