extension Facts {
    /// The checks of the connection to a ward; only one if no broker is named.
    var wardChecks: [Check] {
        guard let broker else {
            return [Check("ward", .skipped, "No broker is named in [ward] of the configuration.")]
        }
        return [
            broker.connectionCheck, broker.secretCheck, broker.certificateCheck, broker.accessCheck, broker.clockCheck,
            broker.leftoverCheck,
        ]
    }
}

extension BrokerFacts {
    /// How many days before its expiry a certificate should be replaced.
    static let daysOfNotice: Int64 = 14
    /// The clock error from which it is reported, in milliseconds.
    static let tolerableSkew: Int64 = 2000

    /// The finding of a check that depends on the connection.
    private static let hidden = "Not known without the broker."

    var connectionCheck: Check {
        let name = "ward"
        if let settingsProblem {
            return Check(name, .trouble, settingsProblem, remedy: "correct it (bedside config path)")
        }
        switch connection {
        case .unasked: return Check(name, .skipped, "The broker was not asked.")
        case .accepted: return Check(name, .ok, "The broker \(address) lets this computer in.")
        case .failed(let reason):
            return Check(
                name, .trouble, "The broker \(address) cannot be used: \(reason).",
                remedy: "see the article \"Many beds\", What can go wrong")
        case .timedOut(let seconds):
            return Check(
                name, .trouble, "The broker \(address) does not answer within \(seconds) s.",
                remedy: "see whether it runs, and whether a firewall is between: systemctl status mosquitto")
        }
    }

    var secretCheck: Check {
        let name = "ward files"
        if let bad = secrets.first(where: { $0.problem != nil }) {
            return Check(
                name, .trouble, "The broker's login or key is not usable: \(bad.problem ?? "").",
                remedy: "chmod 600 \(bad.path)")
        }
        if secrets.isEmpty { return Check(name, .skipped, "The connection uses neither a key nor a login.") }
        return Check(name, .ok, "Only this user can read \(secrets.map(\.path).joined(separator: " and ")).")
    }

    var certificateCheck: Check {
        let name = "ward certificates"
        guard isEncrypted else {
            return isLocal
                ? Check(name, .skipped, "The connection is not encrypted, and does not leave this computer.")
                : Check(
                    name, .advice, "The connection is not encrypted: others in the network can read and change it.",
                    remedy: "use mqtts://, as in the article \"Many beds\"")
        }
        for certificate in certificates {
            guard case .failure(let reason) = certificate.end else { continue }
            return Check(
                name, .trouble, "The certificate of \(certificate.owner) is not known: \(reason.text).",
                remedy: "see the article \"Many beds\", Set up the broker")
        }
        let ends = certificates.compactMap { certificate in
            (try? certificate.end.get()).map { (certificate: certificate, end: $0.seconds, day: $0.day) }
        }
        guard let first = ends.min(by: { $0.end < $1.end }) else { return Check(name, .skipped, Self.hidden) }
        let days = (first.end - now) / 86_400
        let place = first.certificate.path.map { " (\($0))" } ?? ""
        let remedy = "make a new one, as in the article \"Many beds\", Set up the broker"
        if first.end <= now {
            return Check(
                name, .trouble, "The certificate of \(first.certificate.owner)\(place) has ended on \(first.day).",
                remedy: remedy)
        }
        if days < Self.daysOfNotice {
            return Check(
                name, .advice,
                "The certificate of \(first.certificate.owner)\(place) ends on \(first.day), in \(Self.days(days)).",
                remedy: remedy)
        }
        return Check(
            name, .ok,
            "No certificate ends before \(first.day), in \(Self.days(days)): that of \(first.certificate.owner).")
    }

    var accessCheck: Check {
        let name = "ward access"
        guard connection == .accepted else { return Check(name, .skipped, Self.hidden) }
        let remedy = "give the broker an access list, as in the article \"Many beds\", Set up the broker"
        if own == .refused {
            return Check(
                name, .trouble, "The broker's access list does not let this bed publish.",
                remedy: "see that the name in its certificate, or its user, is the bed in [ward]")
        }
        if own == .unanswered || foreign == .unanswered {
            return Check(
                name, .trouble, "The broker does not acknowledge what this computer publishes.",
                remedy: "see the broker's log: journalctl --unit mosquitto")
        }
        switch foreign {
        case .refused:
            return Check(name, .ok, "The broker refuses what this computer publishes under another bed's name.")
        case .silent:
            return Check(name, .ok, "What this computer publishes under another bed's name does not come back to it.")
        case .echoed:
            return Check(
                name, .advice, "This computer can publish and read under any bed's name.", remedy: remedy)
        case .unasked, .unanswered: return Check(name, .skipped, Self.hidden)
        }
    }

    var clockCheck: Check {
        let name = "ward clocks"
        guard connection == .accepted else { return Check(name, .skipped, Self.hidden) }
        guard let worst = clocks.max(by: { ($0.value.magnitude, $1.key) < ($1.value.magnitude, $0.key) }) else {
            return Check(name, .skipped, "Nothing came meanwhile with which this computer's clock could be compared.")
        }
        guard worst.value.magnitude > UInt64(Self.tolerableSkew) else {
            return Check(name, .ok, "The clocks of \(Self.list(clocks.keys.sorted())) agree with this computer's.")
        }
        let direction = worst.value > 0 ? "ahead of" : "behind"
        return Check(
            name, .advice,
            "The clock of \(worst.key) is \(Self.time(worst.value.magnitude)) \(direction) this computer's.",
            remedy: "see which one is wrong, and have it set: timedatectl set-ntp true")
    }

    var leftoverCheck: Check {
        let name = "ward leftovers"
        guard connection == .accepted else { return Check(name, .skipped, Self.hidden) }
        guard let first = leftovers.first else {
            return Check(name, .ok, "The broker keeps no old message that this computer could take for a new one.")
        }
        let more = leftovers.count > 1 ? " and \(leftovers.count - 1) more" : ""
        return Check(
            name, .advice, "The broker keeps messages that nobody should have it keep: \(first)\(more).",
            remedy: "see who publishes them, and remove each: mosquitto_pub --retain --null-message -t TOPIC")
    }

    private static func days(_ number: Int64) -> String { number == 1 ? "1 day" : "\(number) days" }

    private static func list(_ names: [String]) -> String {
        names.count > 4 ? "\(names.count) beds" : names.joined(separator: ", ")
    }

    /// A time in its greatest unit, rounded down.
    private static func time(_ milliseconds: UInt64) -> String {
        let seconds = milliseconds / 1000
        if seconds < 120 { return "\(seconds) s" }
        return seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }
}
