import UserFiles
import Vitals

/// The files of nights as the sensors handed them over, octet by octet, beside the store: `nights/ADDRESS/NAME.dat`.
///
/// The store has what Bedside reads of a night; these files are what other programs read.
public struct NightFiles: Hashable, Sendable {
    private let folder: String

    /// The files beside a store.
    ///
    /// - Parameter store: The path of the store's file.
    public init(beside store: String) { folder = "\(splitPath(store).folder)/nights" }

    /// Where the file of a night is, or would be; `nil` where `NightName.isUsable(_:)` refuses the name or the address.
    ///
    /// - Parameters:
    ///   - name: The name of the night, without an ending.
    ///   - address: The sensor's address, such as `C0:52:49:00:00:09`.
    public func path(of name: String, from address: String) -> String? {
        let subfolder = address.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "-")
        guard NightName.isUsable(name), NightName.isUsable(subfolder) else { return nil }
        return "\(folder)/\(subfolder)/\(name).dat"
    }

    /// Keeps a file: only the user can read it, and it is there as a whole or not at all.
    ///
    /// - Parameters:
    ///   - octets: The file as the sensor sent it.
    ///   - name: The name of the night, without an ending.
    ///   - address: The sensor's address.
    /// - Throws: ``NightFileError``; then nothing has changed.
    public func write(_ octets: [UInt8], name: String, from address: String) throws(NightFileError) {
        guard let path = path(of: name, from: address) else { throw .unsuitableName }
        do throws(UserFileError) { try PrivateFile.replace(path, with: octets) } catch { throw .file(error) }
    }

    /// Removes a file; one that is not there is no error.
    ///
    /// - Parameters:
    ///   - name: The name of the night, without an ending.
    ///   - address: The sensor's address.
    /// - Throws: ``NightFileError``.
    public func remove(name: String, from address: String) throws(NightFileError) {
        guard let path = path(of: name, from: address) else { throw .unsuitableName }
        do throws(UserFileError) { try PrivateFile.remove(path) } catch { throw .file(error) }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - name: The name of the night, without an ending.
    ///   - address: The sensor's address.
    /// - Returns: The octets; `nil` where there is no such file.
    /// - Throws: ``NightFileError``.
    public func read(name: String, from address: String) throws(NightFileError) -> [UInt8]? {
        guard let path = path(of: name, from: address) else { throw .unsuitableName }
        do throws(UserFileError) { return try PrivateFile.read(path) } catch { throw .file(error) }
    }
}

/// Why the file of a night could not be written or read; the description is a sentence that says what helps.
public enum NightFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A night or an address has a name that no file of it may have; the name is not repeated, because it may be hostile.
    case unsuitableName
    /// The file or its folder cannot be used.
    case file(UserFileError)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .unsuitableName:
            "A night has a name that is none of a file: a name has letters, digits, _ and -. It is not kept."
        case .file(let error): error.description
        }
    }
}
