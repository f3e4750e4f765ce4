import Appearance

extension KeyContext {
    /// Where the keys of a page, or of the main view, have their meaning.
    init(_ page: ScreenState.Page?) { self = page?.type.context ?? .main }
}

extension KeyBinding {
    /// Whether the keys work on a page, or on the main view.
    func isUsable(on page: ScreenState.Page?) -> Bool { context.overlaps(KeyContext(page)) }
}

extension KeyMap {
    /// The command of a key on a page, or on the main view, if any.
    func command(for key: Key, on page: ScreenState.Page? = nil) -> Command? {
        KeyBinding.table.first { $0.isUsable(on: page) && self[$0.command].contains(key) }?.command
    }
}
