import Formats

/// The systemd user unit that runs `bedside record` in the background, from login or, with lingering, from boot.
public enum SystemdUnit {
    /// The text of the unit.
    ///
    /// - Parameters:
    ///   - program: The absolute path of `bedside`.
    ///   - words: The arguments after `record`.
    ///   - isHardened: Whether it includes the restrictions that need user namespaces.
    ///   - isPerPatient: Whether it is a template whose instances are named after their patients.
    public static func text(
        program: String, _ words: [String] = [], isHardened: Bool = false, isPerPatient: Bool = false
    ) -> String {
        let command = ([program, Subcommand.record.rawValue] + words).map(quoted).joined(separator: " ")
        // The name is inserted after systemd has split the line into words, and the name of an instance contains no
        // variables. %I would turn the hyphen of bed-12 into a slash, so it is inserted unescaped.
        let patient = isPerPatient ? " --\(Option.patient.name)=%i" : ""
        let instance = isPerPatient ? "@bed-12" : ""
        // The other sensors of the monitor are not known here.
        let names = "--\(Option.connect.name)"
        let sensors =
            words.contains { $0 == names || $0.hasPrefix("\(names)=") }
            ? ""
            : """

            #
            # No sensor is named here (\(names)): it connects those of sensors.connect in the configuration, and those that
            # were chosen on the screen. Where there are none it monitors nothing, and says so.
            """
        let spaces = String(repeating: " ", count: instance.count)
        let other = """

            #
            # An instance has letters, digits, hyphens, underscores and dots. For a patient with another name, print a unit
            # of its own: bedside record --patient "Bed 12" --systemd-unit
            """
        return """
            # Runs Bedside as a monitor in the background. Printed by bedside record --systemd-unit (\(Product.version)).
            #
            #   systemctl --user enable --now bedside\(instance)    start, now and at each login
            #   loginctl enable-linger\(spaces)                   also run without a login, from boot on
            #   journalctl --user --unit bedside\(instance)         its log\(isPerPatient ? other : "")\(sensors)

            [Unit]
            Description=Bedside monitor of vital-sign sensors\(isPerPatient ? " of %i" : "")
            # Restart it after every failure.
            StartLimitIntervalSec=0

            [Service]
            Type=notify
            NotifyAccess=main
            ExecStart=\(command)\(patient)
            ExecReload=/bin/kill -HUP $MAINPID
            Restart=on-failure
            RestartSec=2
            # Except after a wrong command line or configuration.
            RestartPreventExitStatus=\(ExitStatus.usage.rawValue) \(ExitStatus.configuration.rawValue)
            # Kill and restart it when its loop hangs for this long.
            WatchdogSec=30
            TimeoutStopSec=30

            # Restrict it to what it needs, by means that need no privileges. Your own command for alarms
            # (alarms.hook) has the same restrictions: it may use the network, but neither sudo nor containers. For more,
            # reset a line in a drop-in file (systemctl --user edit bedside): RestrictNamespaces=no, for instance.
            # PrivateUsers= and what needs it is in the unit with --hardened only: where user namespaces are forbidden the
            # service could not start, and with it ssh refuses its own files.
            \(restrictions)
            # For setpriv, which starts a simulator's message bus.
            SystemCallFilter=capset
            # Return an error to the calling program instead of killing it.
            SystemCallErrorNumber=EPERM
            RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
            UMask=0077
            \(isHardened ? namespaces : "")
            [Install]
            WantedBy=default.target

            """
    }

    /// The unit that runs `bedside send` beside a monitor.
    ///
    /// - Parameters:
    ///   - program: The absolute path of `bedside`.
    ///   - words: The arguments after `send`.
    public static func sender(program: String, _ words: [String] = []) -> String {
        let command = ([program, Subcommand.send.rawValue] + words).map(quoted).joined(separator: " ")
        return """
            # Sends what Bedside records to servers. Printed by bedside send --systemd-unit (\(Product.version)).
            #
            #   systemctl --user enable --now bedside-send    start, now and at each login
            #   journalctl --user --unit bedside-send         its log

            [Unit]
            Description=Sender of Bedside's records
            # Restart it after every failure.
            StartLimitIntervalSec=0

            [Service]
            ExecStart=\(command)
            Restart=on-failure
            RestartSec=30
            # Except after a wrong command line or configuration, and after a secret that a server rejects.
            RestartPreventExitStatus=\(ExitStatus.usage.rawValue) \(ExitStatus.configuration.rawValue)

            \(restrictions)
            RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
            UMask=0077

            [Install]
            WantedBy=default.target

            """
    }

    /// The restrictions that need no privileges.
    private static let restrictions = """
        NoNewPrivileges=yes
        RestrictSUIDSGID=yes
        RestrictRealtime=yes
        RestrictNamespaces=yes
        LockPersonality=yes
        ProtectHostname=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged @resources
        """

    /// The restrictions for which a user's service manager needs user namespaces.
    ///
    /// The sound card, the network (for the hook) and the sockets of the buses stay reachable.
    private static let namespaces = """

        # Further restrictions (--hardened), which need user namespaces: no capability, and nothing can be written
        # except below the home and the runtime folder. The command for alarms can use neither ssh nor sudo.
        PrivateUsers=yes
        CapabilityBoundingSet=
        ProtectSystem=strict
        ReadWritePaths=%h %t
        PrivateTmp=yes
        ProtectProc=invisible
        ProtectControlGroups=yes
        ProtectKernelTunables=yes

        """

    /// A word of a command line for systemd.service(5), with specifiers and variables escaped.
    static func quoted(_ word: String) -> String {
        let escaped = word.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "%": text += "%%"
            case "$": text += "$$"
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default:
                // Other control characters are never intended, and could break the unit.
                text.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
            }
        }
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "%"),
                    UInt8(ascii: "+"), UInt8(ascii: "@"):
                    true
                default: byte >= 0x80
                }
            }
        return isPlain ? escaped : "\"\(escaped)\""
    }
}
