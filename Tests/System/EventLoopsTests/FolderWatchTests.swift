import EventLoops
import Glibc
import TestSupport
import Testing

@Suite("A watch of a folder", .timeLimit(.minutes(10)))
struct FolderWatchTests {
    @Test("reports files that are created or moved there, and needs an existing folder")
    func files() async throws {
        let running = RunningLoop()
        let folder = try ScratchFolder()
        let seen = Recorder<Int>()
        let path = folder.path
        // The kernel has few watchers for all programs of a user, and other tests have theirs.
        try await awaitCondition("a watch can be had") {
            await running.run { [seen] actor in
                guard let watch = FolderWatch(path, on: actor.loop, { seen.record(1) }) else { return false }
                _ = Unmanaged.passRetained(watch)
                return true
            }
        }
        await running.run { actor in #expect(FolderWatch("\(path)/none", on: actor.loop) {} == nil) }
        _ = try folder.write("", to: "a")
        try await awaitCondition("the file") { seen.count >= 1 }
        let before = seen.count
        rename("\(path)/a", "\(path)/b")
        try await awaitCondition("the other name") { seen.count > before }
    }
}
