extension KeyBinding {
    /// The keys that work everywhere during a replay, and only then.
    static let replay: [KeyBinding] = [
        KeyBinding(
            command: .replayPause, keys: [.character(" ")], explanation: "let time stand still, or go on",
            context: .replay),
        KeyBinding(
            command: .replaySlower, keys: [.character("<")], explanation: "play slower", context: .replay),
        KeyBinding(
            command: .replayFaster, keys: [.character(">")], explanation: "play faster", context: .replay),
        KeyBinding(
            command: .replayBack, keys: [.character("{")], explanation: "go back by a minute", context: .replay),
        KeyBinding(
            command: .replayForward, keys: [.character("}")], explanation: "go forward by a minute",
            context: .replay),
        KeyBinding(
            command: .replayFarBack, keys: [.character("(")], explanation: "go back by an hour", context: .replay),
        KeyBinding(
            command: .replayFarForward, keys: [.character(")")], explanation: "go forward by an hour",
            context: .replay),
        KeyBinding(
            command: .replayStep, keys: [.character(".")], explanation: "play up to the next reading, and pause",
            context: .replay),
    ]
}
