import Foundation
import Glibc
import TestSupport
import Testing

/// `make run-ward`, which shows a whole ward on one computer: it must leave nothing behind, however it ends.
@Suite("A ward on one computer", .startsPrograms, .enabled(if: PrivateBroker.isHere))
struct RunWardTests {
    enum End: CaseIterable { case key, controlC, terminate, hangUp }

    private static let script = UserDocuments.root.appending(path: ".make/run-ward").path

    /// The processes whose environment or command line has a text.
    private static func processes(with text: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { name in
            guard Int(name) != nil, name != "\(getpid())" else { return false }
            return ["environ", "cmdline"].contains { file in
                guard let bytes = FileManager.default.contents(atPath: "/proc/\(name)/\(file)") else { return false }
                return String(decoding: bytes, as: UTF8.self).contains(text)
            }
        }
    }

    @Test("starts a broker, beds, the collector and the screen, and takes all of it away", arguments: End.allCases)
    func life(end: End) async throws {
        let folder = try TemporaryFolder()
        let ward = try await ProgramInTerminal.start(
            [Harness.program, "calm", "temperature-only"], environment: ["TMPDIR": folder.path], columns: 100, rows: 30,
            program: Self.script)
        try await ward.waitUntil("both beds are live") {
            $0.shows("2 beds") && $0.shows("● broker") && $0.shows("SIMULATED") && $0.hasLiveBed
        }
        // Broker, two beds with their buses, the collector, the screen, and the script itself.
        #expect(Self.processes(with: folder.path).count >= 8)
        let place = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        #expect(place.hasPrefix("bedside-ward."))
        try await awaitCondition("the collector stores something", within: Harness.timeout) {
            FileManager.default.fileExists(atPath: "\(folder.path)/\(place)/stores/simulated/ward/1")
        }
        switch end {
        case .key: await ward.type("q")
        case .controlC: await ward.type("\u{3}")
        case .terminate: await ward.send(signal: SIGTERM)
        case .hangUp: await ward.send(signal: SIGHUP)
        }
        let status = try await ward.waitForExit()
        let expected: ExitStatus =
            switch end {
            case .key, .controlC: .exited(0)
            case .terminate: .exited(143)
            case .hangUp: .exited(129)
            }
        #expect(status == expected)
        #expect(Self.processes(with: folder.path) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("names its stories where one is misspelled, and wants a terminal")
    func mistakes() async throws {
        let wrong = try await ProgramWithPipes.run([Harness.program, "calmm"], program: Self.script)
        #expect(wrong.status == .exited(69))
        #expect(wrong.errorOutput.contains("there is no story 'calmm'; there are calm desaturation fever"))
        let blind = try await ProgramWithPipes.run([Harness.program, "calm"], program: Self.script)
        #expect(blind.status == .exited(69))
        #expect(blind.errorOutput.contains("needs a terminal"))
    }
}
