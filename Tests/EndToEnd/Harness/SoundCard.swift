import Foundation
import Glibc
import Testing

/// A sound card that is a file: ALSA's plugin `file` writes there what would be heard, raw, at 48 kHz.
struct SoundCard {
    /// The file.
    let path: String
    /// What programs need to find the card.
    var environment: [String: String] { ["ALSA_CONFIG_PATH": configuration, "XDG_RUNTIME_DIR": folder.path] }

    private let folder: TemporaryFolder
    private let configuration: String

    /// A card.
    ///
    /// - Parameters:
    ///   - isPluggedIn: Whether it is here already.
    ///   - path: Another file.
    init(isPluggedIn: Bool = true, path: String? = nil) throws {
        folder = try TemporaryFolder()
        // What a monitor can write besides its own files: where a sound server is.
        let server = folder.path + "/pulse"
        try FileManager.default.createDirectory(atPath: server, withIntermediateDirectories: false)
        self.path = path ?? server + "/heard.raw"
        configuration = try folder.write("", to: "alsa.conf")
        if isPluggedIn { try plugIn() }
    }

    /// A pipe in a folder of its own, which is a card that hangs unless somebody reads it.
    static func pipe() throws -> SoundCard {
        let card = try SoundCard()
        guard mkfifo(card.path, 0o600) == 0 else { throw HarnessError("no pipe at \(card.path): \(errno)") }
        return card
    }

    /// Lets programs find the card from now on.
    func plugIn() throws {
        _ = try folder.write(
            """
            pcm.null { type null }
            pcm.default { type file slave.pcm "null" file "\(path)" format "raw" }

            """, to: "alsa.conf")
    }

    /// Lets no program find the card from now on.
    func pullOut() throws {
        _ = try folder.write("", to: "alsa.conf")
    }

    /// What was heard since it was opened last.
    var bytes: Data { FileManager.default.contents(atPath: path) ?? Data() }
    /// Whether anything but silence was heard.
    var isHeard: Bool { bytes.contains { $0 != 0 } }
    /// How much sound and silence there was.
    var milliseconds: Int { bytes.count / Self.bytesOfMillisecond }

    private static let bytesOfMillisecond = 96

    /// Whether the last half of a second was silent: no burst has so long a pause in it.
    var isSilent: Bool {
        let end = bytes.suffix(500 * Self.bytesOfMillisecond)
        return end.count == 500 * Self.bytesOfMillisecond && end.allSatisfy { $0 == 0 }
    }

    /// Waits until so much more has been played.
    func awaitSound(milliseconds: Int, in world: World) async throws {
        let end = self.milliseconds + milliseconds
        try await world.waitUntil("\(milliseconds) ms were played") { self.milliseconds >= end }
    }

    /// The number of the process that sounds for a program; `nil` while there is none.
    static func process(of program: Int32) -> Int32? {
        let tasks = "/proc/\(program)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        for thread in threads {
            let children = (try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)) ?? ""
            for child in children.split(separator: " ") {
                let command = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? ""
                if command.contains("speaker-process") { return Int32(child) }
            }
        }
        return nil
    }
}
