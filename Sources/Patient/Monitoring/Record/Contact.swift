import Base
import Vitals

/// A contact: shown with a fever, and never dialled.
public struct Contact: Codable, Hashable, Sendable {
    /// The name, sanitized and bounded.
    public private(set) var name: String
    /// The role of the person or place, sanitized and bounded; may be empty.
    public private(set) var role: String
    /// The telephone number as a user dials it, sanitized and bounded.
    public private(set) var number: String
    /// When a call is answered, sanitized and bounded; may be empty.
    public private(set) var hours: String

    /// The greatest number of characters (Unicode scalars) of each text.
    public static let textLimit = 40

    /// Creates a contact; its texts are sanitized and cut.
    public init(name: String, role: String = "", number: String, hours: String = "") {
        self.name = sanitized(name, limit: Self.textLimit)
        self.role = sanitized(role, limit: Self.textLimit)
        self.number = sanitized(number, limit: Self.textLimit)
        self.hours = sanitized(hours, limit: Self.textLimit)
    }

    /// The name and the number, which are never separated: "Ward 7 +49 351 1234".
    public var shortText: String { "\(name) \(number)" }
}
