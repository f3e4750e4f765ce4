import Formats
import JSON
import Vitals

/// The members of an object in a message.
typealias WardFields = JSONFieldReader

/// Why a message cannot be used: which field, and what is wrong with it.
public typealias WardMessageError = JSONFieldError

extension JSONFieldReader {
    func token(_ key: String) throws(WardMessageError) -> WardToken? {
        guard let value = present(key) else { return nil }
        guard let token = value.text.flatMap({ WardToken($0) }) else { throw wrong(key, "a name: \(WardToken.rule)") }
        return token
    }

    func requiredToken(_ key: String) throws(WardMessageError) -> WardToken {
        try required(key, token(key))
    }

    /// The elements of a list, each about a vital, but for those about vitals that only newer versions know.
    func ofKnownVitals(_ key: String) throws(WardMessageError) -> [WardFields] {
        var known: [WardFields] = []
        for element in try objects(key, atMost: WardBounds.mostVitals) {
            let name = try element.required("vital", element.text("vital", limit: FieldLimits.word))
            if Vital(rawValue: name) != nil { known.append(element) }
        }
        return known
    }

    /// The key of a recorded row.
    func historyKey(_ key: String) throws(WardMessageError) -> WardHistoryKey {
        let parts = try elements(key, atMost: 3)
        guard parts.count == 3, let store = parts[0].text.flatMap({ WardToken($0) }), let wall = parts[1].whole,
            let number = parts[2].whole, WardBounds.wallMilliseconds.contains(Int64(wall)),
            WardBounds.counts.contains(Int64(number))
        else { throw wrong(key, "the key of a row") }
        return WardHistoryKey(store: store, wallMilliseconds: Int64(wall), number: Int64(number))
    }
}
