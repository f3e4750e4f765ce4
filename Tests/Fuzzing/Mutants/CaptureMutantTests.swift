import Foundation
import Replay
import TestSupport
import Testing

@Suite("Damaged captures")
struct CaptureMutantTests {
    @Test("a good capture is played at any speed", arguments: 0..<CaptureScript.Container.allCases.count + 1)
    func good(_ place: Int) throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/air"
        try Data(RecordedCapture.files()[place]).write(to: URL(filePath: path))
        for speed in [ReplaySpeed.unlimited, .times(60)] {
            var player = try #require(try MutantPlayer(CaptureReplay(path), speed: speed))
            #expect(try player.play() == nil)
        }
    }

    @Test("a damaged capture is played to its end or refused with a sentence", .computing, arguments: Mutants.seeds)
    func damaged(_ seed: Int) throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/air"
        var mutator = FileMutator(seed: seed)
        try Data(mutator.capture(RecordedCapture.files())).write(to: URL(filePath: path))
        let speed: ReplaySpeed = seed % 4 == 0 ? .times(600) : .unlimited
        do throws(ReplayError) {
            guard var player = try MutantPlayer(CaptureReplay(path), speed: speed) else { return }
            #expect(try player.play() == nil)
            if seed % 8 == 0 { #expect(try player.playAgain() == nil) }
        } catch {
            #expect(error.description.contains(path))
        }
    }
}
