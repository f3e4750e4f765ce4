import UserFiles

/// Why changed limits cannot be kept; the description is a sentence that says what helps.
public enum PatientFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or its folder cannot be used.
    case file(UserFileError)
    /// A later Bedside wrote the file in a format that this one must not change.
    case newer(path: String)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .file(let error): "Changed limits are not kept for a restart: \(error)"
        case .newer(let path):
            "Changed limits are not kept for a restart: \(path) was written by a newer Bedside. Update this one, or move "
                + "the file away."
        }
    }
}
