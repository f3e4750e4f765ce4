import Configuration
import Formats

extension ManualPage {
    /// The page `bedside.toml(5)`, from the table of settings.
    public static func configurationText() -> String {
        var page = title("BEDSIDE.TOML", 5, "File Formats")
        page += section("NAME") + "bedside.toml \\- configuration file of bedside\n"
        page += section("SYNOPSIS") + ".I ~/.config/bedside/bedside.toml\n"
        page += section("DESCRIPTION") + escaped(SettingTable.summary) + "\n.PP\n"
        page += escaped(
            "bedside config prints a file with every setting and its default value, and bedside config check reports what is wrong with one."
        )
        page += "\n"
        for sectionOfFile in SettingTable.sections {
            page += section(escaped("[\(sectionOfFile.name)]")) + escaped(sectionOfFile.explanation) + "\n"
            for setting in SettingTable.settings where setting.section == sectionOfFile.name {
                page += ".TP\n.B \(escaped(setting.key))\n\(escaped(setting.explanation))\n"
                page += "Allowed: \(escaped(setting.expectation)). Usually: \(escaped(setting.defaultValue.literal)).\n"
                if let option = setting.option { page += "Option: \(escaped("--" + option)).\n" }
            }
        }
        return page + seeAlso("bedside (1)")
    }
}
