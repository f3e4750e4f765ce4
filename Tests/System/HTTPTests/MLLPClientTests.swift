import HTTP
import TestSupport
import Testing

@Suite("The client of MLLP", .enabled(if: StandInServer.isPossible))
struct MLLPClientTests {
    private func client(_ server: StandInServer, authorities: String? = nil) throws -> MLLPClient {
        try MLLPClient(#require(MLLPAddress(server.engine())), authorities: authorities)
    }

    private func send(_ identifier: String, _ client: MLLPClient, within limit: Duration = .seconds(60)) throws
        -> String
    {
        let message = #"MSH|^~\&|||||||ORU^R01|\#(identifier)|P|2.6"# + "\r"
        return String(decoding: try client.send(Array(message.utf8), within: limit), as: UTF8.self)
    }

    @Test("gets an acknowledgement of each message over one connection, with and without the last octet of a frame")
    func acknowledgements() throws {
        let server = try StandInServer()
        let client = try client(server)
        for number in 0..<3 { #expect(try send("m\(number)", client).contains("MSA|AA|m\(number)|")) }
        try server.command("acknowledge bare")
        for number in 3..<6 { #expect(try send("m\(number)", client).contains("MSA|AA|m\(number)|")) }
        #expect(try server.messages().count == 6)
        try server.command("acknowledge AE")
        #expect(try send("m6", client).contains("MSA|AE|m6|as it was told"))
    }

    @Test("goes on where a server closes each connection")
    func closed() throws {
        let server = try StandInServer()
        try server.command("close")
        let client = try client(server)
        for number in 0..<4 { #expect(try send("m\(number)", client).contains("MSA|AA|m\(number)|")) }
        #expect(try server.messages().count == 4)
    }

    @Test("says that a server does not answer, is away, or speaks no TLS")
    func failures() throws {
        let server = try StandInServer()
        try server.command("acknowledge nothing")
        #expect(throws: HTTPError(.timeout, "it does not answer in time")) {
            try send("m", client(server), within: .seconds(1))
        }
        let away = try MLLPClient(#require(MLLPAddress("mllp://127.0.0.1:1")), authorities: nil)
        #expect(throws: HTTPError(.unreachable, "it cannot be reached")) { try send("m", away) }
        let encrypted = try MLLPClient(
            #require(MLLPAddress(server.engine().replacing("mllp:", with: "mllps:"))), authorities: nil)
        let error = #expect(throws: HTTPError.self) { try send("m", encrypted, within: .seconds(5)) }
        #expect(error?.kind != .noLibrary)
        #expect(try server.messages().isEmpty)
    }

    @Test("checks the certificate of an encrypted server")
    func certificates() throws {
        let folder = try ScratchFolder()
        let server = try StandInServer(StandInServer.certificates(for: "localhost", in: folder))
        let address = try #require(MLLPAddress("mllps://localhost:\(server.command("engine"))"))
        let trusting = try MLLPClient(address, authorities: "\(folder.path)/ca.crt")
        for number in 0..<3 { #expect(try send("m\(number)", trusting).contains("MSA|AA|m\(number)|")) }
        #expect(throws: HTTPError(.certificate, "its certificate is not trusted")) {
            try send("m", MLLPClient(address, authorities: nil))
        }
        #expect(try server.messages().count == 3)
    }

    @Test(
        "has addresses with port 2575 unless they say another one",
        arguments: [
            ("mllp://engine.example", "mllp://engine.example:2575", false),
            ("mllps://engine.example:6661", "mllps://engine.example:6661", true),
            ("mllp://[::1]", "mllp://[::1]:2575", false), ("mllp://[::1]:99", "mllp://[::1]:99", false),
        ])
    func addresses(text: String, description: String, isEncrypted: Bool) throws {
        let address = try #require(MLLPAddress(text))
        #expect(address.description == description)
        #expect(address.isEncrypted == isEncrypted)
    }

    @Test(
        "refuses other addresses",
        arguments: ["", "mllp://", "http://engine.example", "mllp://engine.example/path", "mllp://user@engine.example"])
    func refusals(text: String) {
        #expect(MLLPAddress(text) == nil)
    }
}
