import Testing

@testable import CommandLineInterface

@Suite("The systemd unit")
struct SystemdUnitTests {
    @Test(
        "quotes the words of its command so that systemd takes none of them for its own",
        arguments: [
            ("/usr/local/bin/bedside", "/usr/local/bin/bedside"), ("--connect=all", "--connect=all"), ("", "\"\""),
            ("Polar H10", "\"Polar H10\""), ("100%", "100%%"), ("$HOME", "\"$$HOME\""), ("a\"b\\", "\"a\\\"b\\\\\""),
            ("a;b", "\"a;b\""), ("a\nExecStartPre=evil", "\"a\\nExecStartPre=evil\""), ("a\u{1B}b", "\"a b\""),
            ("Jürgen", "Jürgen"),
        ])
    func quoting(word: String, quoted: String) {
        #expect(SystemdUnit.quoted(word) == quoted)
    }

    @Test("has each line that makes it a service which is started again, watched and begun at login")
    func lines() {
        let lines = SystemdUnit.text(program: "/opt/bedside", ["--connect=all"]).split(separator: "\n")
        for line in [
            "Type=notify", "ExecStart=/opt/bedside record --connect=all", "Restart=on-failure", "WatchdogSec=30",
            "NoNewPrivileges=yes", "WantedBy=default.target", "RestartPreventExitStatus=64 78",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
    }

    @Test("restricts itself by what a user's service manager can do, and by nothing that would keep it from starting")
    func restrictions() {
        let lines = SystemdUnit.text(program: "/opt/bedside").split(separator: "\n")
        for line in [
            "RestrictNamespaces=yes", "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged @resources",
            "SystemCallErrorNumber=EPERM", "ProtectHostname=yes",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        // Each of these takes a capability out of the bounding set, which a user's manager may not (status 218), or
        // needs a user namespace, which may be forbidden.
        for name in [
            "CapabilityBoundingSet", "ProtectClock", "ProtectKernelModules", "ProtectKernelLogs", "PrivateDevices",
            "PrivateUsers", "User", "DynamicUser",
        ] {
            #expect(!lines.contains { $0.hasPrefix("\(name)=") }, "\(name)")
        }
    }

    @Test("is for each patient, by the instance's name, where that is asked for")
    func template() {
        let unit = SystemdUnit.text(program: "/opt/bed side/bedside", ["--connect=all"], isPerPatient: true)
        #expect(unit.contains("\nExecStart=\"/opt/bed side/bedside\" record --connect=all --patient=%i\n"))
        #expect(unit.contains("--user enable --now bedside@bed-12 "))
        // With another patient's unit it has all else in common.
        #expect(!SystemdUnit.text(program: "/opt/bedside").contains("%i"))
    }

    @Test("has the restrictions that need user namespaces only where they are asked for")
    func hardening() {
        let usual = SystemdUnit.text(program: "/opt/bedside")
        let hardened = SystemdUnit.text(program: "/opt/bedside", isHardened: true)
        for line in ["PrivateUsers=yes", "CapabilityBoundingSet=", "ProtectSystem=strict", "ReadWritePaths=%h %t"] {
            #expect(!usual.split(separator: "\n").contains { $0 == line }, "\(line)")
            #expect(hardened.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        // With these there is no sound card: alarms would be silent.
        for name in ["PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock"] {
            #expect(!hardened.contains("\n\(name)="), "\(name)")
        }
        #expect(hardened.contains("\n[Install]\n"))
    }
}
