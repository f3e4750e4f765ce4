extension SettingTable {
    /// The article that lists all settings.
    public static var markdown: String {
        var text = """
            # Settings reference

            Every setting of the configuration file, section by section.

            ## Overview

            This page is generated from the program's table of settings.

            """
        for section in sections {
            text += "\n## [\(section.name)]\n\n\(section.explanation)\n\n"
            text += "| Key | Allowed | Usually | Does |\n|---|---|---|---|\n"
            for setting in settings where setting.section == section.name {
                let option = setting.option.map { " (`--\($0)`)" } ?? ""
                text += "| `\(setting.key)` | \(setting.expectation) | `\(setting.defaultValue.literal)` | "
                text += "\(setting.explanation)\(option) |\n"
            }
        }
        return text
    }
}
