import CSystem
import EventLoops
import Glibc
import Testing

@Suite("Another program")
struct ChildProcessTests {
    @Test("is found in the folders of PATH, and not where there is none")
    func finding() throws {
        #expect(try #require(ChildProcess.find("sh")).hasSuffix("/sh"))
        #expect(ChildProcess.find("no-such-program-anywhere") == nil)
    }

    @Test("reads and writes at the given descriptors, and inherits no others")
    func streams() throws {
        let output = try pipe()
        defer { close(output.reading) }
        let shell = try #require(ChildProcess.find("sh"))
        let program = "cat; ls /proc/self/fd | tr '\\n' ' '"
        let process = try ChildProcess.start([shell, "-c", program], output: .descriptor(output.writing))
        close(output.writing)
        var status: Int32 = -1
        #expect(waitpid(process, &status, 0) == process)
        #expect(status == 0)
        // 3 is the folder that ls reads.
        #expect(readAll(output.reading) == "0 1 2 3 ")
    }

    @Test("that is missing is reported as such")
    func missing() {
        #expect(throws: SystemError(number: ENOENT)) { try ChildProcess.start(["/nonexistent/program"]) }
    }

    @Test("is ended, even if it takes no notice of being asked")
    func ending() throws {
        let shell = try #require(ChildProcess.find("sh"))
        let process = try ChildProcess.start([shell, "-c", "trap '' TERM; while :; do sleep 0.1; done"])
        ChildProcess.end(process)
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    private func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(csystem_pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private func readAll(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
