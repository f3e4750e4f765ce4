import Configuration
import Testing
import UserFiles

@testable import bedside

@Suite("The files that a monitor can reach")
struct ConfinementTests {
    private static func confinement(_ environment: [String: String] = [:]) throws -> Confinement {
        let variables = ["HOME": "/h/amy", "XDG_RUNTIME_DIR": "/run/user/1000"].merging(environment) { $1 }
        let directories = try UserDirectories(for: "bedside", environment: { variables[$0] }, accountHome: { nil })
        return Confinement(directories: directories, home: "/h/amy")
    }

    @Test("are its own folders, the system's, and those of sound; neither the home nor anything above it")
    func own() throws {
        let accesses = try Self.confinement().accesses
        for path in [
            "/h/amy/.config/bedside", "/h/amy/.local/share/bedside", "/h/amy/.local/state/bedside",
            "/run/user/1000/bedside",
        ] {
            #expect(accesses.contains(FileAccess(.change, path)), "\(path)")
        }
        for path in ["/usr", "/etc", "/h/amy/.asoundrc"] {
            #expect(accesses.contains(FileAccess(.read, path)), "\(path)")
        }
        #expect(accesses.contains(FileAccess(.use, "/dev/snd")))
        for path in ["/", "/h", "/h/amy", "/h/amy/.config", "/h/amy/.local", "/h/amy/.ssh", "/root"] {
            #expect(!accesses.contains { $0.path == path }, "\(path)")
        }
        // The service manager of the user takes units from below the runtime folder.
        #expect(!accesses.contains { $0.extent != .read && ["/run", "/run/user", "/run/user/1000"].contains($0.path) })
        #expect(!accesses.contains { $0.extent != .read && ["/usr", "/etc", "/proc", "/sys"].contains($0.path) })
        // Where many users keep files for a moment, a monitor needs none.
        for path in ["/tmp", "/var/tmp", "/var"] { #expect(!accesses.contains { $0.path == path }, "\(path)") }
    }

    @Test("are among the temporary ones only those of a simulator, or of sound without a folder for it")
    func temporary() throws {
        var confinement = try Self.confinement()
        confinement.temporary = "/scratch"
        #expect(confinement.accesses.contains(FileAccess(.change, "/scratch")))
        let accesses = try Self.confinement(["XDG_RUNTIME_DIR": ""]).accesses
        #expect(accesses.contains(FileAccess(.change, "/tmp")))
    }

    @Test("are besides what the command line names, what links lead to, and the terminal")
    func named() throws {
        var confinement = try Self.confinement(["XDG_CONFIG_HOME": "/h/amy/settings"])
        confinement.read = ["night.json5"]
        confinement.replaced = ["/h/amy/ward/bed.conf", "bed.conf", "/bed.conf"]
        confinement.linked = ["/h/amy/dotfiles"]
        confinement.terminal = "/dev/tty2"
        let accesses = confinement.accesses
        for access in [
            FileAccess(.read, "night.json5"), FileAccess(.change, "/h/amy/ward"), FileAccess(.change, "."),
            FileAccess(.change, "/"), FileAccess(.change, "/h/amy/dotfiles"), FileAccess(.use, "/dev/tty2"),
            FileAccess(.change, "/h/amy/settings/bedside"), FileAccess(.change, "/h/amy/settings/pulse"),
        ] {
            #expect(accesses.contains(access), "\(access)")
        }
    }

    @Test("are all where a command for alarms or speech may need them")
    func programs() {
        var settings = Settings()
        #expect(Confinement.suits(settings))
        settings.alarms.hook = "mail amy"
        #expect(!Confinement.suits(settings))
        settings.alarms.hook = ""
        settings.alarms.speech = .auto
        #expect(!Confinement.suits(settings))
    }
}
