import Base
import JSON

extension Settings {
    /// Reads the settings of a configuration file; a missing setting keeps its default.
    ///
    /// - Parameters:
    ///   - document: The file.
    ///   - foreign: A section to ignore, because it is not about settings; `nil` for none.
    /// - Throws: All errors in the file: unknown names, invalid values, contradictions between settings.
    public init(_ document: ConfigurationDocument, besides foreign: String? = nil) throws(ConfigurationErrors) {
        self.init()
        var mistakes: [ConfigurationError] = []
        var unknown: Set<String> = []
        mistakes += addScheduleEntries(of: document, unknown: &unknown)
        let known = SettingTable.sections(for: self).map(\.name)
        for section in document.sections
        where !known.contains(section.name) && !unknown.contains(section.name) && section.name != foreign {
            // `[limits.spo2]` implies a section `limits`; for an unknown section, one error is enough.
            if known.contains(where: { $0.hasPrefix(section.name + ".") }) { continue }
            unknown.insert(section.name)
            if unknown.contains(where: { section.name.hasPrefix($0 + ".") }) { continue }
            mistakes.append(
                ConfigurationError(
                    section.position,
                    "there is no section [\(section.name)]" + Self.hint(section.name, known) { "[\($0)]" }))
        }
        for entry in document.entries where entry.section != foreign {
            guard let setting = SettingTable.setting(entry.key, in: entry.section) else {
                if !unknown.contains(entry.section) { mistakes.append(Self.unknown(entry)) }
                continue
            }
            do throws(SettingError) {
                try setting.read(entry.value, into: &self)
            } catch {
                mistakes.append(ConfigurationError(entry.valuePosition, "\(entry.key): \(error.reason)"))
            }
        }
        // Unreadable settings have their defaults here, so contradictions with them would be misleading.
        if mistakes.isEmpty { mistakes = contradictions(in: document) + faults(in: document) }
        if let mistakes = ConfigurationErrors(mistakes) { throw mistakes }
    }

    /// The first contradiction between settings, such as a low limit above a high one; `nil` when there is none.
    public var contradiction: String? {
        if let rule = SettingTable.rules(for: self).first(where: { !$0.holds(self) }) {
            return "\(rule.second): \(rule.reason(in: self, firstLine: nil))"
        }
        if let fault = soundAndScheduleFault { return "\(fault.setting): \(fault.reason)" }
        // The content of a theme file is not known here.
        guard let fault = fault(onTop: builtInTheme ?? .dark) else { return nil }
        return "\(fault.setting): \(fault.reason)"
    }

    /// Entries of the schedule that overlap, alarms that sound alike, keys with two commands, colours that hide alarms.
    private func faults(in document: ConfigurationDocument) -> [ConfigurationError] {
        let theme = builtInTheme ?? (screen.keys.conflict == nil ? nil : .dark)
        let faults = [soundAndScheduleFault, theme.flatMap { fault(onTop: $0) }].compactMap(\.self)
        return faults.compactMap { fault in
            let entry = document.entries.first { "\($0.section).\($0.key)" == fault.setting }
            // An entry of the schedule may have its usual times.
            let section = document.sections.first { fault.setting.hasPrefix($0.name + ".") && $0.name.contains(".") }
            guard let position = entry?.valuePosition ?? section?.position else { return nil }
            let key = fault.setting.split(separator: ".").last.map(String.init) ?? fault.setting
            return ConfigurationError(position, "\(key): \(fault.reason)")
        }
    }

    /// Adds the entries of the schedule in a file; what is unknown is added to a set of sections.
    private mutating func addScheduleEntries(
        of document: ConfigurationDocument, unknown: inout Set<String>
    ) -> [ConfigurationError] {
        var mistakes: [ConfigurationError] = []
        for section in document.sections {
            guard let name = SettingTable.scheduleEntry(ofSection: section.name), !name.isEmpty,
                section.name == "schedule.\(name)", name != Schedule.Entry.night
            else { continue }
            let reason: String?
            if !Schedule.Entry.isName(name) {
                reason =
                    "an entry of the schedule has a name of at most 16 small letters, digits, - and _, such as [schedule.weekend]"
            } else if schedule.entries.count >= Schedule.limit {
                reason = "a schedule has at most \(Schedule.limit) entries"
            } else if let missing = ["from", "to"].first(where: { document.value(of: $0, in: section.name) == nil }) {
                reason = "[\(section.name)] has no \(missing); write a time of day, such as \(missing) = \"10:00\""
                schedule[name] = Schedule.Entry(name)
            } else {
                reason = nil
                schedule[name] = Schedule.Entry(name)
            }
            guard let reason else { continue }
            mistakes.append(ConfigurationError(section.position, reason))
            if schedule.entries.last?.name != name { unknown.insert(section.name) }
        }
        return mistakes
    }

    private func contradictions(in document: ConfigurationDocument) -> [ConfigurationError] {
        let entries = document.entries
        return SettingTable.rules(for: self).filter { !$0.holds(self) }.compactMap { rule in
            let first = entries.first { "\($0.section).\($0.key)" == rule.first }
            let second = entries.first { "\($0.section).\($0.key)" == rule.second }
            // Report the later one of the two.
            switch (first, second) {
            case (let first?, let second?) where first.keyPosition < second.keyPosition:
                return ConfigurationError(
                    second.valuePosition,
                    "\(second.key): " + rule.reason(in: self, firstLine: first.keyPosition.line))
            case (let first?, let second):
                return ConfigurationError(
                    first.valuePosition,
                    "\(first.key): " + rule.converse.reason(in: self, firstLine: second?.keyPosition.line))
            case (nil, let second?):
                return ConfigurationError(
                    second.valuePosition, "\(second.key): " + rule.reason(in: self, firstLine: nil))
            case (nil, nil): return nil
            }
        }
    }

    private static func unknown(_ entry: ConfigurationDocument.Entry) -> ConfigurationError {
        let keys = SettingTable.settings(inSection: entry.section).map(\.key)
        let elsewhere = SettingTable.settings.first { $0.key == entry.key }
        let reason: String
        let name = (entry.section.isEmpty ? "" : entry.section + ".") + ConfigurationValue.key(entry.key)
        if SettingTable.sections.contains(where: { $0.name == name || $0.name.hasPrefix(name + ".") }) {
            let example = SettingTable.sections.first { $0.name == name || $0.name.hasPrefix(name + ".") }?.name ?? name
            reason = "'\(name)' is a section, not a key; write [\(example)] with its keys below"
        } else if keys.isEmpty, !entry.section.isEmpty {
            reason = "there is no key '\(entry.key)' in [\(entry.section)], which has sections only"
        } else if entry.section.isEmpty {
            reason =
                "'\(entry.key)' stands in no section"
                + (elsewhere.map { "; put it below [\($0.section)]" }
                    ?? "; put it below the [section] that it belongs to")
        } else if let nearest = nearestWord(to: entry.key, among: keys) {
            reason = "there is no key '\(entry.key)' in [\(entry.section)]; did you mean '\(nearest)'?"
        } else if let elsewhere {
            reason = "'\(entry.key)' does not belong to [\(entry.section)]; put it below [\(elsewhere.section)]"
        } else {
            reason =
                "there is no key '\(entry.key)' in [\(entry.section)]; there are \(keys.joined(separator: ", "))"
        }
        return ConfigurationError(entry.keyPosition, reason)
    }

    private static func hint(_ word: String, _ words: [String], _ show: (String) -> String) -> String {
        if let nearest = nearestWord(to: word, among: words) { return "; did you mean \(show(nearest))?" }
        return "; there are \(words.map(show).joined(separator: ", "))"
    }
}
