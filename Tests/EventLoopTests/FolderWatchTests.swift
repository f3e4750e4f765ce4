import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("A watch of a folder", .timeLimit(.minutes(1)))
struct FolderWatchTests {
    @Test("tells of files that are made and moved there, and is none without the folder")
    func files() async throws {
        let running = RunningLoop()
        let folder = try ScratchFolder()
        let seen = Recorder<Int>()
        let path = folder.path
        try await running.run { [seen] actor in
            let watch = try #require(FolderWatch(path, on: actor.loop) { seen.record(1) })
            _ = Unmanaged.passRetained(watch)
            #expect(FolderWatch("\(path)/none", on: actor.loop) {} == nil)
        }
        _ = try folder.write("", to: "a")
        try await awaitCondition("the file") { seen.count >= 1 }
        let before = seen.count
        rename("\(path)/a", "\(path)/b")
        try await awaitCondition("the other name") { seen.count > before }
    }
}
