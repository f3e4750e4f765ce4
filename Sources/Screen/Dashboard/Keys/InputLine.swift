import Entries

/// An input that replaces the key bar and receives all keys.
enum InputLine: Hashable, Sendable {
    /// The filter, which takes effect while it is typed.
    case filter(TextPrompt)
    /// A new name for the sensor with an address.
    case rename(address: String, TextPrompt)
    /// A text that entries of the alarm log must contain, which takes effect while it is typed.
    case logFilter(TextPrompt)
    case limit(LimitPlace, TextPrompt)
    /// A manual entry.
    case entry(ManualDraft)
    /// Why an entry of the record is a mistake.
    case reason(ReasonDraft)
    /// The answers to a form.
    case form(FormDraft)
    /// A text that settings must contain, which works while it is typed.
    case settingsFilter(TextPrompt)
    /// The value of the setting with a name.
    case setting(String, TextPrompt)
    /// Octets to write to a characteristic, with or without a response.
    case octets(address: String, characteristic: Int, withResponse: Bool, TextPrompt)
    /// A question.
    case choice(Choice)
}
