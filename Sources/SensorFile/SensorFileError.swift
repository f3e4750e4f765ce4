import UserFiles

/// Why remembered sensors could not be read or written; the description is a sentence that says what helps.
public enum SensorFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or its folder cannot be used.
    case file(UserFileError)
    /// A later Bedside wrote the file in a format that this one must not change.
    case newer(path: String)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .file(let error): "Sensors are not remembered: \(error)"
        case .newer(let path):
            "Sensors are not remembered: \(path) was written by a newer Bedside. Update this one, or move the file away."
        }
    }
}
