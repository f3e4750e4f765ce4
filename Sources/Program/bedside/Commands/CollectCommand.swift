import CommandLineInterface
import Configuration
import EventLoops
import MQTT
import Engine
import UserFiles
import WardMessages

/// `bedside collect`: stores the recorded data of a ward's beds until it is interrupted.
struct CollectCommand {
    private let settings: Settings
    private let broker: BrokerAddress
    private let folder: String
    private let site: WardToken?
    private let duration: Duration?

    /// Parses the command line.
    ///
    /// - Throws: ``CommandError`` for an invalid value or configuration file.
    init(_ arguments: CommandLineArguments) throws(CommandError) {
        duration = try arguments[.duration]
        settings = try Settings.toStart(arguments)
        broker = try BrokerAddress.named(in: settings, arguments)
        site = try arguments[.site]
        folder = try Self.folder(arguments)
    }

    /// The folder of the stores.
    ///
    /// - Throws: ``CommandError`` where there is none.
    static func folder(_ arguments: CommandLineArguments) throws(CommandError) -> String {
        if let folder = arguments.value(of: .folder) { return folder }
        do throws(UserFileError) {
            return try UserDirectories.current().data + "/ward"
        } catch {
            throw CommandError("There is no folder for the stores: \(error)", status: .noInput)
        }
    }

    /// Collects until the time or a signal ends it.
    func run(on loop: EventLoop) async -> ExitStatus {
        let collector = WardCollector(into: folder, settings.recording, site: site, on: loop) { report in
            switch report {
            case .notice(let sentence): _ = printText("bedside collect: \(sentence)\n")
            case .warning(let sentence): complain("collect: \(sentence)")
            }
        }
        await collector.start(broker, settings.ward)
        let status = await Ending().wait(on: loop, for: duration, hangUp: .success)
        await collector.stop()
        return status
    }
}
