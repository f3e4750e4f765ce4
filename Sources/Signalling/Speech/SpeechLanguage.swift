/// A spoken language; the raw value is its ISO 639-1 code.
package enum SpeechLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"

    /// The language of a locale such as `de_AT.UTF-8`; English if there are no texts in that language.
    package init(locale: some StringProtocol) {
        let code = locale.prefix { $0.isASCII && $0.isLetter }.lowercased()
        self = SpeechLanguage(rawValue: code) ?? .english
    }

    /// The mark before the decimals of a number.
    var decimalMark: Character {
        switch self {
        case .english: "."
        case .german: ","
        }
    }
}
