/// The program's description of itself.
public enum Product {
    /// The version of this program.
    public static let version = "0.1.0"

    /// The date of that version, for its manual pages.
    public static let date = "2026-11-22"

    /// The answer to `--version`: what this program is, and what it was built from.
    ///
    /// - Parameter build: The commit and its date, in words; `nil` where the build did not know them.
    public static func line(build: String?) -> String {
        "bedside \(version) (\(build ?? "built from an unknown commit"))"
    }

    /// Its purpose, in one sentence.
    public static let promise = """
        Bedside shows temperature, heart rate and oxygen saturation from Bluetooth LE sensors on a terminal, says when \
        there is no measurement and why, and raises fever alerts.
        """

    public static let disclaimer = """
        Bedside is not a medical device. It may show wrong values or none; never rely on it for treatment or for \
        anybody's safety.
        """
}
