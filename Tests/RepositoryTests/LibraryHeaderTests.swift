import Foundation
import TestSupport
import Testing

/// Libraries that are loaded at run time are declared in `Sources/C` of both packages, because building takes no header of theirs.
@Suite("What is declared of libraries that are loaded")
struct LibraryHeaderTests {
    private static let modules = ["CALSA", "CCurl", "CGcrypt", "CMosquitto", "COpenSSL"]

    /// The C compiler of the Swift toolchain, or another one.
    private static let compiler = """
        command -v clang || { swift=$(realpath "$(command -v swift)") && ls "${swift%/*}/clang"; } || command -v gcc
        """

    /// Compiles the check of the declarations below folders; returns what is wrong, which is nothing when they are right.
    private static func check(_ folders: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments =
            [
                "-c", #"compiler=$( { \#(compiler); } 2>/dev/null | head -n 1) && exec "$compiler" "$@""#, "check",
                "-fsyntax-only", "-std=gnu17", "-Wall", "-Werror", "-Wno-unused",
            ] + folders.map { "-I\($0)" } + [
                Repository.root.appending(path: "Tests/RepositoryTests/LibraryHeaders.c").path
            ]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let errorOutput = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : "compiler: \(process.terminationStatus)\n\(errorOutput)"
    }

    /// The folder of a C library's declarations.
    private static func folder(_ module: String) throws -> String {
        let package = try #require(DescribedPackage.all.first { try $0.libraries().contains(module) })
        return "\(package.sources)/C/\(module)"
    }

    private static func declarations(_ module: String) throws -> String {
        try Repository.text("\(folder(module))/shim.h")
    }

    @Test("is what the headers of the libraries say")
    func headers() throws {
        #expect(try Self.check(DescribedPackage.all.map { "\(Repository.root.path)/\($0.sources)/C" }) == "")
    }

    @Test(
        "is found wrong where a type or a number differs",
        arguments: [
            ("CALSA", "unsigned int rate", "long rate"), ("CALSA", "F(long, pcm_writei", "F(int, pcm_writei"),
            ("CALSA", "SND_PCM_FORMAT_S16_LE, 2", "SND_PCM_FORMAT_S16_LE, 3"),
            ("CCurl", "F(unsigned int, global_init", "F(long, global_init"),
            ("CCurl", "CURLOPT_CAINFO, 10065", "CURLOPT_CAINFO, 10066"),
            ("CCurl", "CURLINFO_RETRY_AFTER, 0x600039", "CURLINFO_RETRY_AFTER, 0x60003A"),
            ("CGcrypt", "size_t count", "int count"), ("CGcrypt", "GCRY_CIPHER_AES128, 7", "GCRY_CIPHER_AES128, 8"),
            ("CMosquitto", "bool is_clean, ", ""), ("CMosquitto", "int payloadlen", "long payloadlen"),
            ("CMosquitto", "uint32_t value", "uint16_t value"), ("CMosquitto", "MOSQ_ERR_TLS, 8", "MOSQ_ERR_TLS, 9"),
            ("CMosquitto", "int code, int flags", "int code"), ("COpenSSL", "long number", "int number"),
            ("COpenSSL", "const struct asn1_string_st *, X509", "struct x509_st *, X509"),
            ("COpenSSL", "SSL_CTRL_SET_TLSEXT_HOSTNAME, 55", "SSL_CTRL_SET_TLSEXT_HOSTNAME, 56"),
        ])
    func mistakes(_ module: String, from original: String, to wrong: String) throws {
        let folder = try ScratchFolder()
        for name in Self.modules {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
            var text = try Self.declarations(name)
            if name == module {
                #expect(text.contains(original))
                text = text.replacing(original, with: wrong)
            }
            _ = try folder.write(text, to: "\(name)/shim.h")
        }
        #expect(try Self.check([folder.path]).contains("error: "))
    }

    @Test("takes no header but those of the C library, and links nothing")
    func includes() throws {
        let known = ["dlfcn", "pthread", "stdbool", "stddef", "stdint", "time"].map { "<\($0).h>" }
        for module in Self.modules {
            let lines = try Self.declarations(module).split(separator: "\n").filter { $0.hasPrefix("#include ") }
            for line in lines {
                #expect(known.contains(String(line.dropFirst("#include ".count))), "\(module): \(line)")
            }
            #expect(try !Repository.text("\(Self.folder(module))/module.modulemap").contains("link"))
        }
    }

    @Test("leaves three packages with headers that building takes, of which libraries take one")
    func packages() throws {
        let makefile = try Repository.text("Makefile").replacing("\\\n\t", with: "")
        let line = try #require(makefile.split(separator: "\n").first { $0.hasPrefix("TO_RUN := ") })
        let needed = line.split(separator: " ").filter { $0.hasSuffix("-dev") }.map(String.init).sorted()
        #expect(needed == ["libdbus-1-dev", "libncurses-dev", "libsqlite3-dev"])
        let manifests = try DescribedPackage.all.map { try Repository.text($0.manifest) }
        let declared = manifests.flatMap { $0.components(separatedBy: "library(\"C").dropFirst() }
            .compactMap { $0.prefix { $0 != "\n" }.firstMatch(of: /package: "(.*)"/)?.1 }.map(String.init).sorted()
        #expect(declared == needed)
    }
}
