import Recording
import UserFiles
import Vitals

/// Where the store is.
package enum StorePath {
    /// The store's file in the user's data folder.
    ///
    /// - Parameters:
    ///   - patient: The patient; `nil` for the unnamed patient.
    ///   - isSimulated: Whether it is the separate store of simulated sensors.
    /// - Throws: `UserFileError` when the user has no home.
    package static func current(of patient: PatientName?, isSimulated: Bool) throws(UserFileError) -> String {
        let folder = try UserDirectories.current(of: patient).data
        return "\(folder)/\(isSimulated ? "simulated/" : "")\(StoreFile.name)"
    }
}

extension UserDirectories {
    /// The folders of this process's user, or of one of their patients.
    ///
    /// - Parameter patient: `nil` for the one that has no name.
    /// - Throws: `UserFileError.noHome`.
    package static func current(of patient: PatientName?) throws(UserFileError) -> UserDirectories {
        try current().of(patient)
    }

    /// The folders of one of the user's patients; `nil` for the one that has no name.
    func of(_ patient: PatientName?) -> UserDirectories {
        patient.map { inside("patients/\($0)") } ?? self
    }
}
