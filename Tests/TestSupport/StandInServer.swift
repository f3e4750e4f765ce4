import Foundation
import Glibc

/// A server of FHIR, a Nightscout site and an interface engine of a test's own (`stand_in_server.py`); it ends with this object.
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

    /// Whether Python is here.
    public static let isPossible = PythonScript.isHere()

    /// Its address; that of the loopback interface.
    public var address: String { "http://127.0.0.1:\(port)" }

    /// Gives it a command.
    @discardableResult
    public func command(_ line: String) throws -> String { try script.answer(to: line) }

    /// The objects of a list: `resources`, `entries` or `treatments`.
    public func objects(_ list: String) throws -> [[String: Any]] {
        try JSONSerialization.jsonObject(with: Data(command(list).utf8)) as? [[String: Any]] ?? []
    }

    /// The address of the interface engine.
    public func engine() throws -> String { "mllp://127.0.0.1:\(try command("engine"))" }

    /// All messages of HL7, each as its segments.
    public func messages() throws -> [[String]] {
        try JSONSerialization.jsonObject(with: Data(command("messages").utf8)) as? [[String]] ?? []
    }

    /// Makes an authority (`ca.crt`), and the files of a server that it has signed.
    public static func certificates(
        for name: String, in folder: ScratchFolder
    ) throws -> (certificate: String, key: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.arguments = [
            "-ec",
            """
            new="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
            openssl req -x509 $new -subj /CN=Authority -days 2 -keyout ca.key -out ca.crt
            openssl req $new -subj /CN=\(name) -addext subjectAltName=DNS:\(name) -keyout server.key -out server.csr
            openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -copy_extensions copy -days 2 \
                -out server.crt
            """,
        ]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw TestSupportError("openssl", EIO) }
        return ("\(folder.path)/server.crt", "\(folder.path)/server.key")
    }
}
