import CSystem
import Foundation
import TestSupport
import Testing

@testable import UserFiles

@Suite("A process that restricts itself to files")
struct LandlockTests {
    /// What a thread that has restricted itself could do: `errno` of each attempt, 0 where it succeeded.
    private struct Attempts: Sendable {
        var isRestricted = false
        var read: Int32 = 0
        var listed: Int32 = 0
        var ownRead: Int32 = 0
        var ownWritten: Int32 = 0
        var ownCreated: Int32 = 0
        var ownFolder: Int32 = 0
        var readOnlyRead: Int32 = 0
        var readOnlyWritten: Int32 = 0
        var ran: Int32 = 0
        var openBefore = 0
    }

    private final class Result: @unchecked Sendable {
        // `@unchecked Sendable`: written by the thread, read after its end, which a semaphore reports.
        var attempts = Attempts()
    }

    private static func attempt(_ path: String, _ flags: Int32) -> Int32 {
        let file = open(path, flags | O_CLOEXEC, 0o600)
        if file < 0 { return errno }
        close(file)
        return 0
    }

    /// Tries on a thread of its own, which ends with its restriction.
    private static func attempts(outside: String, own: String, readOnly: String) async throws -> Attempts {
        let result = Result()
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            var attempts = Attempts()
            let before = open(outside, O_RDONLY | O_CLOEXEC)
            _ = csystem_forbid_new_privileges()
            attempts.isRestricted = Landlock.restrict(
                to: [
                    FileAccess(.change, own), FileAccess(.read, readOnly), FileAccess(.read, "/bin/missing"),
                ])
            attempts.read = attempt(outside, O_RDONLY)
            attempts.listed = attempt((outside as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY)
            attempts.ownRead = attempt(own + "/file", O_RDONLY)
            attempts.ownWritten = attempt(own + "/file", O_WRONLY | O_TRUNC)
            attempts.ownCreated = attempt(own + "/new", O_WRONLY | O_CREAT | O_EXCL)
            attempts.ownFolder = mkdir(own + "/folder", 0o700) == 0 ? 0 : errno
            attempts.readOnlyRead = attempt(readOnly, O_RDONLY)
            attempts.readOnlyWritten = attempt(readOnly, O_WRONLY)
            // What was written may not be run.
            attempts.ran = access(own + "/program", X_OK) == 0 && execv(own + "/program", [nil]) != 0 ? errno : 0
            var byte: UInt8 = 0
            attempts.openBefore = read(before, &byte, 1)
            close(before)
            result.attempts = attempts
            ended.signal()
        }
        thread.start()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                ended.wait()
                continuation.resume()
            }
        }
        return result.attempts
    }

    @Test("reads and changes what it may, and nothing else; what it has open stays open")
    func restriction() async throws {
        guard Landlock.version != nil else {
            return print("NOT CHECKED: the restriction to files, because this kernel has no Landlock")
        }
        let (outside, own) = (try ScratchFolder(), try ScratchFolder())
        let secret = try outside.write("secret", to: "secret")
        let readOnly = try outside.write("public", to: "public")
        _ = try own.write("own", to: "file")
        let program = try own.write("#!/bin/sh\n", to: "program")
        chmod(program, 0o700)
        let attempts = try await Self.attempts(outside: secret, own: own.path, readOnly: readOnly)
        #expect(attempts.isRestricted)
        #expect(Landlock.isInForce)
        #expect(attempts.read == EACCES)
        #expect(attempts.listed == EACCES)
        #expect(attempts.ownRead == 0)
        #expect(attempts.ownWritten == 0)
        #expect(attempts.ownCreated == 0)
        #expect(attempts.ownFolder == 0)
        #expect(attempts.readOnlyRead == 0)
        #expect(attempts.readOnlyWritten == EACCES)
        #expect(attempts.ran == EACCES)
        #expect(attempts.openBefore == 1)
        // Other threads keep what they had.
        #expect(Self.attempt(secret, O_RDONLY) == 0)
    }

    @Test("asks each version of the kernel's interface only for what that knows", arguments: 1...9)
    func versions(version: Int) {
        let known: [Int: UInt64] = [1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF]
        #expect(Landlock.files(version) == known[version] ?? 0xFFFF)
        #expect(Landlock.tcp(version) == (version < 4 ? 0 : 1))
    }

    @Test("allows a file no use that only folders have, and nothing that was written to be run or made a device")
    func uses() {
        for extent in [FileAccess.Extent.read, .use, .change] {
            #expect(Landlock.uses(extent, isFolder: false) & 0x3FF8 == 0)
        }
        #expect(Landlock.uses(.read, isFolder: true) == 0xD)
        #expect(Landlock.uses(.change, isFolder: true) & 0x8841 == 0)
        #expect(Landlock.uses(.use, isFolder: true) & 0x1 == 0)
    }
}
