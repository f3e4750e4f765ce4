import CommandLineInterface
import Glibc
import Loudspeaker
import Sounds

/// `bedside sound`: plays a sound, or writes it to a file.
enum SoundCommand {
    /// Plays, writes or lists sounds.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        if arguments.has(.soundList) { return printText(list) }
        guard let name = arguments.operands.first else {
            throw CommandError("say which sound; bedside sound --list lists them", status: .usage)
        }
        guard let sound = Sound(name: name) else {
            throw CommandError("there is no sound \(name); bedside sound --list lists them", status: .usage)
        }
        let samples = sound.samples()
        if let path = arguments.value(of: .soundOutput) { return try write(WaveFile.bytes(samples), to: path) }
        do throws(SoundError) {
            let device = try ALSADevice()
            // A device starts when its buffer is full, and may drop less than a full one.
            try device.write(samples + [Int16](repeating: 0, count: Tone.rate / 10))
            device.drain()
        } catch {
            throw CommandError("nothing sounds: \(error.reason)", status: .systemError)
        }
        return .success
    }

    private static var list: String {
        let sounds = Sound.named
        let width = sounds.map(\.name.count).max() ?? 0
        return sounds.map { sound in
            sound.name + String(repeating: " ", count: width + 2 - sound.name.count) + sound.explanation + "\n"
        }.joined()
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(CommandError) -> ExitStatus {
        let descriptor = creat(path, 0o666)
        guard descriptor >= 0 else {
            throw CommandError("\(path): \(String(cString: strerror(errno)))", status: .inputOutputError)
        }
        let failure = writeAll(bytes, to: descriptor)
        guard close(descriptor) == 0, failure == 0 else {
            throw CommandError("\(path): \(String(cString: strerror(failure)))", status: .inputOutputError)
        }
        return .success
    }
}
