/// A setting as shown on its page.
public struct SettingItem: Hashable, Sendable {
    /// Its section in the file.
    public var section: String
    public var key: String
    /// The heading of its section on the page.
    public var heading: String
    /// Its name on the page.
    public var title: String
    /// Its description, in sentences.
    public var explanation: String
    /// The permitted values.
    public var expectation: String
    /// The present value, as it is typed.
    public var value: String
    /// The present value, as it is shown: "on", "15 s", "none".
    public var shownValue: String
    /// The default, as it is shown.
    public var usual: String
    public var source: Source
    /// Whether it is a choice between values.
    public var isChoice: Bool
    /// Whether it can be changed in steps.
    public var hasSteps: Bool
    /// Whether a change takes effect at once, not only at the next start.
    public var isAtOnce: Bool

    /// The source of a value; the raw value is its name on the page.
    public enum Source: String, Hashable, Sendable {
        case usual
        /// The configuration file.
        case file
        /// The command line.
        case option
        /// A change on the screen that is not kept yet.
        case changed = "not kept"
    }

    public init(
        section: String, key: String, heading: String, title: String, explanation: String, expectation: String,
        value: String, shownValue: String, usual: String, source: Source, isChoice: Bool, hasSteps: Bool, isAtOnce: Bool
    ) {
        self.section = section
        self.key = key
        self.heading = heading
        self.title = title
        self.explanation = explanation
        self.expectation = expectation
        self.value = value
        self.shownValue = shownValue
        self.usual = usual
        self.source = source
        self.isChoice = isChoice
        self.hasSteps = hasSteps
        self.isAtOnce = isAtOnce
    }

    /// Section and key joined by a dot.
    public var name: String { "\(section).\(key)" }
}

public enum SettingChange: Hashable, Sendable {
    /// To a typed text.
    case text(String)
    /// By a number of steps or choices.
    case step(Int)
    /// Back to the default.
    case usual
}
