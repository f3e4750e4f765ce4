extension Facts {
    var folderChecks: [Check] {
        if let folderProblem {
            return [Check("state", .advice, folderProblem, remedy: "export HOME=/path/to/a/folder")]
        }
        return folders.map(\.check) + [damagedStoreCheck]
    }

    private var damagedStoreCheck: Check {
        guard let first = damagedStores.first else { return Check("store", .ok, "No damaged store was set aside.") }
        let more = damagedStores.count == 1 ? "" : " (and \(damagedStores.count - 1) more)"
        return Check(
            "store", .advice, "A damaged store was set aside: values from before are in \(first)\(more).",
            remedy: "keep what is left of it (sqlite3 FILE .recover), then move it away")
    }

    var configurationCheck: Check {
        switch configuration {
        case .unknown: Check("config file", .skipped, "Not looked for, because the user's folders are not known.")
        case .absent(let path): Check("config file", .ok, "There is no \(path); all settings have their defaults.")
        case .valid(let path): Check("config file", .ok, "\(path) is valid.")
        case .invalid(_, let sentence, let count):
            Check(
                "config file", .trouble, count > 1 ? "\(sentence) (and \(count - 1) more)" : sentence,
                remedy: "correct it (bedside config check), or start with: bedside --no-config")
        }
    }

    var confinementCheck: Check {
        let name = "own files"
        switch confinement {
        case .restricts(let version):
            return Check(name, .ok, "A monitor can reach no other files of yours (Landlock, version \(version)).")
        case .unsuitable:
            return Check(name, .skipped, "Not with a command for alarms or speech, which need other files of yours.")
        case .switchedOff(let variable): return Check(name, .skipped, "Switched off by the variable \(variable).")
        case .unavailable:
            return Check(name, .skipped, "This kernel has no Landlock; a monitor can reach all your files.")
        }
    }
}

extension FolderFacts {
    var check: Check {
        let name = "\(purpose) folder"
        switch state {
        case .missing: return Check(name, .ok, "\(path) will be created when it is needed.")
        case .unusable(let reason):
            return Check(
                name, .advice, "\(path) cannot be written to (\(reason)), so nothing is kept there.",
                remedy: "see who owns it, or what is above it: namei -l \(path)")
        case .usable(let mode):
            let octal = String(mode & 0o777, radix: 8)
            // Settings are not secret; health data are.
            if purpose != "config", mode & 0o077 != 0 {
                return Check(
                    name, .advice, "\(path) can be entered by others (mode \(octal)).", remedy: "chmod 700 \(path)")
            }
            return Check(name, .ok, "\(path) can be written to (mode \(octal)).")
        }
    }
}
