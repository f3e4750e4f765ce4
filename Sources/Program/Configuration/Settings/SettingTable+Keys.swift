import Appearance
import Base
import Vitals

extension SettingTable {
    static let keySection = (
        name: "keys",
        explanation: """
        Which key does what: a character, or \(Key.names.joined(separator: ", ")); several in a list, [] for none. \
        Two commands cannot have one key where both could be meant, Esc only closes, and acknowledge and quit must \
        have one.
        """
    )

    static let keys: [Setting] = KeyBinding.table.map { binding in
        let place = binding.context.title.map { $0.prefix(1).lowercased() + $0.dropFirst() + ": " } ?? ""
        let words = binding.text(Settings().monitor)
        return Setting(
            keySection.name, binding.command.name, .keys(), "\(place)\(words).".capitalizedFirst,
            get: { $0.screen.keys[binding.command] }, set: { $0.screen.keys[binding.command] = $1 }
        ).ofTheLook
    }
}

extension SettingCodec {
    /// The keys of a command.
    static func keys() -> SettingCodec<[Key]> {
        let expectation = "a key or a list of keys"
        return SettingCodec<[Key]>(
            expectation,
            read: { value throws(SettingError) in
                let names: [String]
                switch value {
                case .text(let text): names = [text]
                case .list where value.texts != nil: names = value.texts ?? []
                // A digit needs no quotes.
                case .number(let number) where number.text.utf8.count == 1: names = [number.text]
                default: throw SettingError(expected: "\(expectation), such as \"a\" or [\"Down\", \"j\"]", value)
                }
                var keys: [Key] = []
                for name in names {
                    guard let key = Key(name: name) else {
                        throw SettingError(
                            unknown: "key", name, among: Key.names,
                            expected: "\(expectation): one character, or \(Key.names.joined(separator: ", "))")
                    }
                    if !keys.contains(key) { keys.append(key) }
                }
                if keys.count > 8 { throw SettingError("expected at most 8 keys, found \(keys.count)") }
                return keys
            },
            write: { $0.count == 1 ? .text($0[0].name) : .texts($0.map(\.name)) })
    }
}
