import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Speech

@Suite("What is sent to speech-dispatcher")
struct SpeechConversationTests {
    /// A conversation with a dispatcher that follows its protocol strictly, and records what it would speak.
    private struct Talk {
        var conversation = SpeechConversation()
        var now = MonotonicTime(nanoseconds: 0)
        var commands: [String] = []
        var spoken: [String] = []
        /// The commands that are refused.
        var refused: Set<String> = []
        private var isTextExpected = false

        init() { conversation.connected() }

        mutating func reconnect() {
            isTextExpected = false
            conversation.connected()
        }

        mutating func speak(_ text: String, _ reason: Utterance.Reason, _ language: SpeechLanguage = .english) {
            conversation.speak(Utterance(text, language, reason), at: now)
        }

        /// Sends one request and replies to it; answers whether there was one.
        mutating func step() throws -> Bool {
            guard let bytes = conversation.nextBytes(at: now) else { return false }
            let text = String(decoding: bytes, as: UTF8.self)
            // The server divides what it receives at CR LF.
            let lines = text.components(separatedByLineEnds: ())
            if isTextExpected {
                isTextExpected = false
                #expect(lines.count == 2 && lines.last == ".", "a text is one line and the end: \(lines)")
                let line = lines[0]
                spoken.append(line.hasPrefix("..") ? String(line.dropFirst()) : line)
                #expect(!line.hasPrefix(".") || line.hasPrefix(".."))
                commands.append("(text)")
                try reply("225-21")
                try reply("225 OK MESSAGE QUEUED")
                return true
            }
            #expect(lines.count == 1, "one command at a time: \(lines)")
            commands.append(lines[0])
            if refused.contains(lines[0]) {
                try reply("300 ERR INTERNAL")
            } else {
                isTextExpected = lines[0] == "SPEAK"
                try reply(isTextExpected ? "230 OK RECEIVING DATA" : "208 OK")
            }
            return true
        }

        mutating func reply(_ line: String) throws { try conversation.receive(Array(line.utf8)) }

        mutating func finish() throws { while try step() {} }
    }

    @Test("begins with a name, and says language and priority only where they change")
    func order() throws {
        var talk = Talk()
        talk.speak("heart rate 72", .answer)
        try talk.finish()
        talk.speak("alarm: saturation low, 86", .alarm(.medium))
        try talk.finish()
        talk.speak("heart rate 73", .answer)
        try talk.finish()
        #expect(
            talk.commands == [
                "SET self CLIENT_NAME user:bedside:main", "SET self LANGUAGE en", "SET self PRIORITY text", "SPEAK",
                "(text)", "SET self PRIORITY important", "SPEAK", "(text)", "SET self PRIORITY text", "SPEAK", "(text)",
            ])
        #expect(talk.spoken == ["heart rate 72", "alarm: saturation low, 86", "heart rate 73"])
    }

    @Test("speaks alarms first, the worst one before, and only the newest answer")
    func alarmsFirst() throws {
        var talk = Talk()
        talk.speak("old answer", .answer)
        talk.speak("answer", .answer)
        talk.speak("low", .alarm(.low))
        talk.speak("high", .alarm(.high))
        try talk.finish()
        #expect(talk.spoken == ["high", "low", "answer"])
    }

    @Test("lets a worse alarm interrupt a lesser one")
    func interruption() throws {
        var talk = Talk()
        talk.speak("low", .alarm(.low))
        try talk.finish()
        talk.commands = []
        talk.speak("high", .alarm(.high))
        try talk.finish()
        #expect(talk.commands == ["CANCEL self", "SPEAK", "(text)"])
        talk.commands = []
        talk.speak("another", .alarm(.high))
        try talk.finish()
        #expect(talk.commands == ["SPEAK", "(text)"], "its like is not interrupted")
    }

    @Test("cancels what is spoken when alarms fall silent, also between a command and its text")
    func silence() throws {
        for steps in 0...5 {
            var talk = Talk()
            talk.speak("high", .alarm(.high))
            for _ in 0..<steps { _ = try talk.step() }
            talk.conversation.silenceAlarms()
            try talk.finish()
            #expect(talk.spoken.isEmpty || talk.commands.last == "CANCEL self", "after \(steps) steps")
            #expect(talk.spoken.isEmpty == (steps < 4))
        }
    }

    @Test("does not cancel an answer when alarms fall silent")
    func answerGoesOn() throws {
        var talk = Talk()
        talk.speak("answer", .answer)
        try talk.finish()
        talk.conversation.silenceAlarms()
        try talk.finish()
        #expect(!talk.commands.contains("CANCEL self"))
    }

    @Test("sends no text to a dispatcher that does not expect one")
    func refusedText() throws {
        var talk = Talk()
        talk.refused = ["SPEAK"]
        talk.speak("QUIT", .alarm(.high))
        try talk.finish()
        #expect(talk.commands.last == "SPEAK")
        #expect(!talk.conversation.isAwaitingReply)
        talk.refused = []
        talk.speak("again", .alarm(.high))
        try talk.finish()
        #expect(talk.spoken == ["again"])
    }

    @Test("speaks though language or priority are refused")
    func refusedSettings() throws {
        var talk = Talk()
        talk.refused = [
            "SET self LANGUAGE de", "SET self PRIORITY important", "SET self CLIENT_NAME user:bedside:main",
        ]
        talk.speak("Alarm", .alarm(.high), .german)
        try talk.finish()
        #expect(talk.spoken == ["Alarm"])
    }

    @Test("does not speak what has waited for so long that its numbers are old")
    func old() throws {
        var talk = Talk()
        talk.speak("heart rate 72", .answer)
        talk.now = talk.now.advanced(by: SpeechConversation.patience + .milliseconds(1))
        let isWaiting = talk.conversation.isSpeechWaiting(at: talk.now)
        #expect(!isWaiting)
        try talk.finish()
        #expect(talk.spoken.isEmpty)
    }

    @Test("keeps what waits when the connection is lost, and begins with its name again")
    func reconnected() throws {
        var talk = Talk()
        talk.speak("first", .alarm(.low))
        for _ in 0..<4 { _ = try talk.step() }
        talk.speak("second", .alarm(.low))
        talk.reconnect()
        talk.commands = []
        try talk.finish()
        #expect(talk.commands.first == "SET self CLIENT_NAME user:bedside:main")
        #expect(talk.spoken == ["second"])
    }

    @Test(
        "refuses what is no reply",
        arguments: ["", "2", "ABC", "2x8 OK", "HTTP/1.1 200 OK", "\u{1B}[31m", "99"])
    func malformed(line: String) {
        var talk = Talk()
        talk.speak("text", .answer)
        _ = talk.conversation.nextBytes(at: talk.now)
        #expect(throws: SpeechError.malformedReply) { try talk.reply(line) }
    }

    @Test("refuses a reply to nothing, and ignores events")
    func unasked() throws {
        var talk = Talk()
        #expect(throws: SpeechError.malformedReply) { try talk.reply("208 OK") }
        try talk.reply("701-21")
        try talk.reply("701 BEGIN")
    }

    @Test("keeps few utterances, the worst ones")
    func bounded() throws {
        var talk = Talk()
        talk.speak("answer", .answer)
        for number in 0..<1000 { talk.speak("low \(number)", .alarm(.low)) }
        talk.speak("high", .alarm(.high))
        try talk.finish()
        #expect(talk.spoken.count == SpeechConversation.longestQueue)
        #expect(talk.spoken.first == "high")
    }

    @Test("makes one harmless line of any text", arguments: 0..<50)
    func hostile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "\r\n", "\n", "\r", ".", "\r\n.\r\n", "QUIT", "STOP all", "\u{0}", "\u{1B}]0;x\u{7}", "\u{2028}",
            "\u{202E}", "\u{85}", "<speak>", "ä", "\u{1F4A9}", "SET all VOLUME -100",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            text += pieces.randomElement(using: &random) ?? ""
        }
        var talk = Talk()
        talk.speak(text, .alarm(.high))
        try talk.finish()
        // The strict server has checked the lines; nothing but our own commands came.
        #expect(talk.commands.filter { $0 == "SPEAK" }.count == 1)
        #expect(talk.commands.count == 5)
        let line = try #require(talk.spoken.first)
        #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(line.unicodeScalars.count <= SpeechConversation.longestText + 1)
    }
}

extension String {
    /// The lines that a server sees, which ends one at each line feed, with or without a carriage return.
    fileprivate func components(separatedByLineEnds: Void) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "\n":
                lines.append(String(line))
                line = .init()
            case "\r": break
            default: line.append(scalar)
            }
        }
        if !line.isEmpty { lines.append(String(line)) }
        return lines
    }
}
