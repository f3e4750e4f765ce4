import Foundation

/// A server of FHIR and a Nightscout site of a test's own (`stand_in_server.py`); it ends with this object.
public final class StandInServer {
    private let script: PythonScript
    public let port: String

    /// Starts it.
    ///
    /// - Parameter files: The files of a certificate and of its key, for TLS; `nil` without TLS.
    public init(_ files: (certificate: String, key: String)? = nil) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "stand_in_server.py").path
        script = try PythonScript(path, files.map { [$0.certificate, $0.key] } ?? [])
        port = try script.answer(to: "port")
    }

    /// Its address; that of the loopback interface.
    public var address: String { "http://127.0.0.1:\(port)" }

    /// Gives it a command.
    @discardableResult
    public func command(_ line: String) throws -> String { try script.answer(to: line) }

    /// The objects of a list: `resources`, `entries` or `treatments`.
    public func objects(_ list: String) throws -> [[String: Any]] {
        try JSONSerialization.jsonObject(with: Data(command(list).utf8)) as? [[String: Any]] ?? []
    }
}
