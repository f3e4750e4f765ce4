import BlueZ
import Sensors
import SensorFile
import Synchronization
import UserFiles
import Vitals

/// Keeps which links are ours in a file, so that a run that follows a killed one ends them.
///
/// The file is read and written on the thread for files. With `--simulate` nothing is read or written.
final class LinkKeeper: Sendable {
    private let delivery = Mutex<BroadcastDelivery?>(nil)
    private let writing = Mutex<FileWriting<[OwnedLink]>?>(nil)

    /// Takes over what an earlier run has left, and keeps what follows.
    func begin(_ supervisor: SensorSupervisor, of patient: PatientName?, isSimulated: Bool) async {
        guard let directories = try? UserDirectories.current(of: patient) else { return }
        let file = LinkFile(in: directories, isSimulated: isSimulated)
        // A disk that hangs must not keep anybody from monitoring.
        let links = await FileThread.loop.result(within: .seconds(2)) { file.load() } ?? []
        // A file that cannot be written is reported for the remembered sensors, which are in the same folder.
        let writing = FileWriting<[OwnedLink]> { links in
            try? file.save(links)
            return nil
        }
        self.writing.withLock { $0 = writing }
        await supervisor.remember(links: links)
        let delivery = await supervisor.ownedLinks().deliver { writing.put($0, for: "links") }
        self.delivery.withLock { $0 = delivery }
    }

    /// Waits until all is written, but no longer than a limit.
    func finish(within limit: Duration) async {
        guard let writing = writing.withLock({ $0 }) else { return }
        _ = await writing.finish(within: limit)
    }
}
