import Base
import Dashboard
import EventLoops
import Glibc
import Monitoring
import Recording
import UserFiles
import Vitals
import Ward
import WardMessages
import WardScreen

/// Reads the last day of a bed from the stores of `bedside collect`, for the page of the bed.
@ScreenActor
final class WardHistory {
    private let folder: String
    private var loader: (path: String, reader: PastLoader)?
    private var read: (bed: WardBed, patientSince: Int64?, at: Int64)?

    /// How long the data are shown before they are read again, in nanoseconds.
    private static let lifetime: Int64 = 60_000_000_000

    /// - Parameter folder: Where the stores are: `<site>/<bed>/<store>.sqlite`.
    init(in folder: String) {
        self.folder = folder
    }

    /// Reads the data that the screen needs, unless they were just read.
    ///
    /// - Parameters:
    ///   - screen: The screen, whose page selects the bed.
    ///   - state: The ward.
    ///   - done: Called with the result, possibly at once.
    func follow(
        _ screen: WardScreenState, _ state: WardState, _ done: @escaping @ScreenActor @Sendable (BedHistory) -> Void
    ) {
        guard screen.showsHistory, case .bed(let bed) = screen.page, let known = state[bed] else { return }
        let now = Moment.now()
        if let read, read.bed == bed, read.patientSince == known.patientSince,
            now.monotonicNanoseconds - read.at < Self.lifetime
        {
            return
        }
        read = (bed, known.patientSince, now.monotonicNanoseconds)
        let place = "\(folder)/\(known.isSimulated ? "simulated/" : "")\(bed.site)/\(bed.bed)"
        guard let path = Self.newestStore(in: place) else {
            return done(BedHistory(bed, .missing("nothing of this bed in \(sanitized(folder, limit: 60))")))
        }
        if loader?.path != path { loader = (path, PastLoader(path: path)) }
        // Records of an earlier patient must not be shown.
        if let since = known.patientSince { loader?.reader.patientChanged(at: Self.moment(since, now)) }
        let missing = MissingPast(
            from: now.advanced(by: .zero - BedHistory.reach), to: now, finest: BedHistory.finest)
        let isLoading = loader?.reader.load(missing) { result in
            switch result {
            case .success(let found): done(BedHistory(bed, .trends(found.trends)))
            case .failure(let failure): done(BedHistory(bed, .missing("the store cannot be read: \(failure)")))
            }
        }
        if isLoading != true { read = nil }
    }

    private static func moment(_ wallMilliseconds: Int64, _ now: Moment) -> Moment {
        now.advanced(by: .milliseconds(wallMilliseconds - now.wallMilliseconds))
    }

    /// The store that was written last: a bed that was set up again has several.
    private static func newestStore(in folder: String) -> String? {
        var newest: (path: String, time: Int)?
        for name in FolderListing.names(in: folder) ?? [] {
            // SQLite writes the journal first.
            let store = name.hasSuffix("-wal") ? String(name.dropLast(4)) : name
            var status = stat()
            guard store.hasSuffix(".sqlite"), stat("\(folder)/\(name)", &status) == 0 else { continue }
            if status.st_mtim.tv_sec >= newest?.time ?? .min { newest = ("\(folder)/\(store)", status.st_mtim.tv_sec) }
        }
        return newest?.path
    }
}
