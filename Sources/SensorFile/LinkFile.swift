import JSON
import UserFiles
import Vitals

/// The file that lists the links that Bedside established, in case it is killed.
///
/// It is valid only while the same Bluetooth service runs on the same bus, so an unreadable file counts as empty.
///
/// ```json
/// {"version":1,"links":[
/// {"address":"C0:52:49:00:00:02","bus":"0123456789abcdef0123456789abcdef","daemon":":1.3","client":":1.7"}
/// ]}
/// ```
public struct LinkFile: Sendable {
    /// The path.
    public let path: String

    /// The greatest size that is read, in bytes.
    private static let sizeLimit = 1 << 17
    /// The greatest number of Unicode scalars of a bus name (D-Bus specification).
    private static let nameLimit = 255

    /// A file in the user's state folder.
    ///
    /// - Parameters:
    ///   - directories: The user's folders.
    ///   - isSimulated: Whether the sensors are simulated and have a separate file.
    public init(in directories: UserDirectories, isSimulated: Bool = false) {
        path = "\(directories.state)/\(isSimulated ? "simulated/" : "")links.json"
    }

    /// Reads the links; none when the file cannot be read.
    public func load() -> [OwnedLink] {
        guard let bytes = try? PrivateFile.read(path, limit: Self.sizeLimit),
            let text = String(validating: bytes, as: UTF8.self), let value = try? JSON5Parser.parse(text),
            case .object(let members) = value.content,
            case .array(let list)? = members.first(where: { $0.name == "links" })?.value.content
        else { return [] }
        return list.compactMap { Self.link($0) }
    }

    /// Replaces the content of the file.
    ///
    /// - Throws: ``UserFileError`` when it cannot be written; then it is as before.
    public func save(_ links: [OwnedLink]) throws(UserFileError) {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("version")
        json.integer(1)
        json.key("links")
        json.beginArray()
        for link in links {
            json.lineBreak()
            json.beginObject()
            for (name, text) in [
                ("address", link.address), ("bus", link.bus), ("daemon", link.daemon), ("client", link.client),
            ] {
                json.key(name)
                json.string(text)
            }
            json.endObject()
        }
        json.verbatim("\n")
        json.endArray()
        json.endObject()
        json.newline()
        try PrivateFile.replace(path, with: json.octets)
    }

    private static func link(_ value: JSON5Value) -> OwnedLink? {
        guard case .object(let members) = value.content else { return nil }
        func text(_ name: String) -> String? {
            guard case .string(let text)? = members.first(where: { $0.name == name })?.value.content,
                !text.isEmpty, text.unicodeScalars.count <= nameLimit
            else { return nil }
            return text
        }
        guard let address = text("address"), let bus = text("bus"), let daemon = text("daemon"),
            let client = text("client")
        else { return nil }
        return OwnedLink(address: address, bus: bus, daemon: daemon, client: client)
    }
}
