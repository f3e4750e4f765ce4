import Foundation
import Glibc
import Testing

extension BothBackEnds {
    /// The ECG of a strap; the machine's is played by code that shares nothing with ours.
    @Suite("The ECG of a strap")
    struct WaveTests {
        private static let options = ["watch", "--json", "--waves", "--connect", Steady.strap]

        /// Whether a line has samples.
        private static func hasSamples(_ line: WatchLine) -> Bool { line.fields["samples"] != nil }

        @Test("comes beside the heart rate without a gap, and is stopped when the program ends")
        func streams() async throws {
            let world = try await World.withECG()
            let watch = try await ProgramWithPipes.start(Self.options, on: world)
            var samples: [Int] = []
            var rates: [Double] = []
            for index in 0..<12 {
                let line = try await watch.next("samples", where: Self.hasSamples)
                #expect(line.text("wave") == "ecg" && line.text("unit") == "uV" && line.sensor == Steady.strap)
                #expect(line.fields["continues"] as? Bool == (index > 0), "\(index)")
                samples += line.fields["samples"] as? [Int] ?? []
                rates.append(line.number("rate_hz") ?? 0)
            }
            #expect(samples.count == 12 * 73)
            #expect(rates.allSatisfy { (124...136).contains($0) }, "\(rates)")
            _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) }
            let beats = samples.indices.filter { index in
                samples[index] > 600
                    && samples[max(0, index - 20)...min(samples.count - 1, index + 20)].max() == samples[index]
            }
            // 876 samples are 6.7 s.
            #expect((6...9).contains(beats.count), "\(beats)")
            if !BackEnd.current.isSimulator {
                #expect(zip(beats, beats.dropFirst()).allSatisfy { $1 - $0 == 108 }, "\(beats)")
            }
            #expect(try await world.sensor("hr").streams == ["ecg"])
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
            #expect(try await world.sensor("hr").streams == [])
            try await world.waitUntilNothingIsConnected()
        }

        @Test("has a mark at every R peak after its first seconds, in lines and in the record")
        func marks() async throws {
            let world = try await World.withECG()
            let folder = try TemporaryFolder()
            let environment = ["XDG_DATA_HOME": folder.path]
            let watch = try await ProgramWithPipes.start(
                Self.options + ["--set", "recording.waves=true"], on: world, environment: environment)
            var (samples, marks): ([Int], [Int]) = ([], [])
            while marks.count < 12 {
                let line = try await watch.next("samples", where: Self.hasSamples)
                marks += (line.fields["beats"] as? [Int] ?? []).map { samples.count + $0 }
                samples += line.fields["samples"] as? [Int] ?? []
                try #require(samples.count < 130 * 60, "\(marks)")
            }
            let peaks = samples.indices.filter { index in
                samples[index] > 600
                    && samples[max(0, index - 20)...min(samples.count - 1, index + 20)].max() == samples[index]
            }
            let first = try #require(marks.first)
            #expect(marks == Array(peaks.filter { $0 >= first }.prefix(marks.count)))
            await watch.send(signal: SIGTERM)
            #expect(try await watch.waitForExit().status == .exited(0))
            let export = try await ProgramWithPipes.run(
                ["export", "--format", "waves"] + (BackEnd.current.isSimulator ? ["--simulate"] : []),
                environment: environment)
            let recorded = export.output.components(separatedBy: "\r\n").filter { $0.contains(",ecg,") }
                .map { $0.components(separatedBy: ",") }
            let kept = recorded.indices.filter { recorded[$0][8] == "true" }
            #expect(kept.starts(with: marks), "\(kept)")
        }

        @Test("that loses frames says how much, and is asked for again when the link is back")
        func losses() async throws {
            let world = try await World.withECG()
            let watch = try await ProgramWithPipes.start(Self.options, on: world)
            for _ in 0..<3 { _ = try await watch.next("samples", where: Self.hasSamples) }
            try await world.please("lose hr 2")
            let after = try await watch.next("the hole") { $0.number("lost") ?? 0 > 0 }
            let lost = try #require(after.number("lost"))
            #expect((140...152).contains(lost), "\(lost)")
            #expect(after.fields["continues"] as? Bool == false)
            try await world.please("drop hr")
            _ = try await watch.next("its end") { $0.event == "wave" && $0.text("state") == "ended" }
            _ = try await watch.next("the wish") { $0.event == "wave" && $0.text("state") == "wanted" }
            _ = try await watch.next("samples again", where: Self.hasSamples)
            await watch.send(signal: SIGINT)
            #expect(try await watch.waitForExit().status == .exited(0))
            #expect(try await world.sensor("hr").streams == [])
        }

        @Test("that a killed run has left running is stopped by the next one, whether that uses the strap or not")
        func killed() async throws {
            let world = try await World.withECG()
            let folder = try TemporaryFolder()
            let environment = ["XDG_DATA_HOME": folder.path]
            for next in [["--connect", Steady.strap], []] {
                let killed = try await ProgramWithPipes.start(Self.options, on: world, environment: environment)
                for _ in 0..<4 { _ = try await killed.next("samples", where: Self.hasSamples) }
                await killed.send(signal: SIGKILL)
                #expect(try await killed.waitForExit().status == .killed(signal: SIGKILL))
                #expect(try await world.sensor("hr").streams == ["ecg"])
                let watch = try await ProgramWithPipes.start(
                    ["watch", "--json"] + next, on: world, environment: environment)
                try await world.waitUntil("the strap is told to stop") {
                    try await world.sensor("hr").streams == []
                }
                if !next.isEmpty { _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) } }
                await watch.send(signal: SIGTERM)
                #expect(try await watch.waitForExit().status == .exited(0))
                try await world.waitUntilNothingIsConnected()
            }
        }

        @Test("is not asked for while nobody wants it")
        func unwanted() async throws {
            let world = try await World.withECG()
            let watch = try await ProgramWithPipes.start(["watch", "--json", "--connect", Steady.strap], on: world)
            for _ in 0..<5 { _ = try await watch.next("the heart rate") { $0.isReading(of: "heart_rate", 72) } }
            #expect(try await world.sensor("hr").streams == [])
        }
    }
}
