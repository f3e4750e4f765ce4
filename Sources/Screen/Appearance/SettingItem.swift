/// A setting as its page shows it.
public struct SettingItem: Hashable, Sendable {
    /// The section of the file that it stands in.
    public var section: String
    /// Its key there.
    public var key: String
    /// The heading of its section on the page.
    public var heading: String
    /// Its name on the page.
    public var title: String
    /// What it does, in sentences.
    public var explanation: String
    /// What it may be.
    public var expectation: String
    /// What it is now, as it is typed.
    public var value: String
    /// What it is now, as it is shown: "on", "15 s", "none".
    public var shownValue: String
    /// What it is usually, as it is shown.
    public var usual: String
    /// Where its value comes from.
    public var source: Source
    /// Whether it is a choice among values.
    public var isChoice: Bool
    /// Whether it can be changed step by step.
    public var hasSteps: Bool
    /// Whether a change holds at once, and not only from the next start on.
    public var isAtOnce: Bool

    /// Where a value comes from; the raw value is its name on the page.
    public enum Source: String, Hashable, Sendable {
        /// It is the usual one.
        case usual
        /// The configuration file gives it.
        case file
        /// The command line gives it.
        case option
        /// It was changed on the screen and is not kept yet.
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

/// A change of a setting.
public enum SettingChange: Hashable, Sendable {
    /// To what somebody typed.
    case text(String)
    /// By this many steps or choices.
    case step(Int)
    /// Back to the default.
    case usual
}
