import Recording
import UserFiles

/// Where the store is.
enum StorePath {
    /// The store's file in the user's data folder.
    ///
    /// - Parameter isSimulated: Whether it is about simulated sensors, which have a store of their own.
    /// - Throws: `UserFileError` when the user has no home.
    static func current(isSimulated: Bool) throws(UserFileError) -> String {
        let folder = try UserDirectories.current().data
        return "\(folder)/\(isSimulated ? "simulated/" : "")\(StoreFile.name)"
    }
}
