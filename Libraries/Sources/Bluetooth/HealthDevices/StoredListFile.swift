import UserFiles

/// A file that holds a list of `DeviceLists`, such as the remembered devices.
///
/// Only its user can read it, it is replaced as a whole or not at all, and several programs can change it without losing
/// each other's changes. A file that cannot be read as the list is never replaced.
///
/// Every method waits for the disk, and ``update(_:)`` up to two seconds for another program that is writing: do not call
/// them from the event loop of a central.
public struct StoredListFile<List: StoredList>: Hashable, Sendable {
    /// Where the file is.
    public let path: String

    /// The greatest size that is read, in octets; a full list is much smaller.
    public static var sizeLimit: Int { 1 << 20 }

    /// Names a file; nothing is read or created yet.
    ///
    /// - Parameter path: The file; the folders that it is in are created with it, for this user alone.
    public init(_ path: String) {
        self.path = path
    }

    /// Names a file in the folder of a program's data, `$XDG_DATA_HOME/PROGRAM`, by default `~/.local/share/PROGRAM`.
    ///
    /// - Parameters:
    ///   - name: The name of the file, such as `devices.json`.
    ///   - program: The name of the program.
    /// - Throws: ``StoredListFileError``: `inaccessible` where the user has no home.
    public init(named name: String, of program: String) throws(StoredListFileError) {
        do throws(UserFileError) {
            path = try UserDirectories.current(for: program).data + "/" + name
        } catch {
            throw StoredListFileError(error)
        }
    }

    /// Reads the list.
    ///
    /// - Returns: The list; an empty one when there is no file.
    /// - Throws: ``StoredListFileError``: `unusable`, `tooLarge`, `inaccessible`.
    public func read() throws(StoredListFileError) -> List {
        let bytes: [UInt8]?
        do throws(UserFileError) {
            bytes = try PrivateFile.read(path, limit: Self.sizeLimit)
        } catch {
            throw StoredListFileError(error)
        }
        guard let bytes else { return List() }
        do throws(StoredListFormatError) {
            return try List(json: bytes)
        } catch {
            throw .unusable(path: path, error)
        }
    }

    /// Changes the list: reads it, has it changed, and writes it if it differs then.
    ///
    /// No other program changes it meanwhile, so that a closure which records a measurement elsewhere can do so before it
    /// returns: when it throws, the file is as it was.
    ///
    /// - Parameter change: What to change; it gets the list as it is in the file.
    /// - Returns: What the closure returns.
    /// - Throws: ``StoredListFileError``, or what the closure throws; then the file is as it was.
    @discardableResult
    public func update<Result>(_ change: (inout List) throws -> Result) throws -> Result {
        let lock: FileLock
        do throws(UserFileError) {
            lock = try FileLock(for: path)
        } catch {
            throw StoredListFileError(error)
        }
        return try update(lock, change)
    }

    /// Changes the list while a lock is held.
    private func update<Result>(
        _ lock: borrowing FileLock, _ change: (inout List) throws -> Result
    ) throws -> Result {
        let old = try read()
        var list = old
        let result = try change(&list)
        if list == old { return result }
        let bytes = try list.json()
        do throws(UserFileError) {
            try PrivateFile.replace(path, with: bytes)
        } catch {
            throw StoredListFileError(error)
        }
        return result
    }
}

/// Why the file of a list could not be used; the description is a sentence that says what helps.
public enum StoredListFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its content is not read as the list; it is left as it is.
    case unusable(path: String, StoredListFormatError)
    /// It is larger than any list; it is left as it is.
    case tooLarge(path: String, limit: Int)
    /// Another program held its lock for too long.
    case busy(path: String)
    /// It cannot be read or written, and is as it was; with what the system says, and what helps.
    case inaccessible(String)

    init(_ error: UserFileError) {
        switch error {
        case .tooLarge(let path, let limit): self = .tooLarge(path: path, limit: limit)
        case .busy(let path): self = .busy(path: path)
        default: self = .inaccessible(error.description)
        }
    }

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .unusable(let path, let error): "\(path) cannot be used. \(error) Move it away to begin anew."
        case .tooLarge(let path, let limit):
            "\(path) has more than \(limit) octets, more than any such list. Move it away to begin anew."
        case .busy(let path): UserFileError.busy(path: path).description
        case .inaccessible(let text): text
        }
    }
}
