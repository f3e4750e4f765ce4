import Appearance
import Base
import CSystem
import EventLoops
import Glibc

// The question for the colour of the terminal's ground, and the keys that come beside its answer.
extension Terminal {
    /// For how long a late answer is told from keys, in nanoseconds.
    private static let lateness: Int64 = 5_000_000_000
    /// How long the rest of a sequence may take, as ncurses waits for it.
    static let restLimit: Int64 = 25_000_000

    /// An open question.
    struct GroundQuestion {
        var answer = GroundAnswer()
        /// When its answers are not awaited any longer.
        let end: Int64
    }

    /// Asks the terminal for the colour of its background, unless that is known, and waits for the answer.
    ///
    /// Call it before the first frame. Keys that are typed meanwhile are read by ``readKey()``; a late answer, from a slow
    /// line, is no key, and changes ``ground`` then. Terminals that might print the question are not asked.
    ///
    /// - Parameter limit: How long to wait at most.
    public func learnGround(within limit: Duration = .milliseconds(200)) {
        // Whatever has a title understands strings of controls (OSC); the Linux console would print a part of it.
        guard ground == nil, colorDepth > .none, TerminalTitle.isPossible(traits), takesOutput else { return }
        let start = Timestamp.monotonicNow()
        let end = start + limit.nanoseconds
        groundQuestion = GroundQuestion(end: start + Self.lateness)
        write(GroundAnswer.question)
        while let question = groundQuestion, !question.answer.isComplete {
            let rest = end - Timestamp.monotonicNow()
            guard rest > 0, waitForInput(rest), readBesideAnswer(until: end) else { break }
        }
        endGroundQuestion()
    }

    /// Takes what has come out of the answers; what is left becomes ``keysBesideAnswer``.
    ///
    /// - Parameter end: When to wait no longer for the rest of a sequence that has begun.
    /// - Returns: Whether there was anything to read.
    @discardableResult
    func readBesideAnswer(until end: Int64) -> Bool {
        guard var question = groundQuestion else { return false }
        var keys: [UInt8] = []
        var hasRead = false
        var buffer = [UInt8](repeating: 0, count: 1024)
        // What is typed in between is little; a flood waits in the kernel.
        while keys.count < buffer.count {
            let rest = question.answer.isWithinSequence ? min(Self.restLimit, end - Timestamp.monotonicNow()) : 0
            guard waitForInput(rest) else { break }
            let count = read(inputDescriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            hasRead = true
            keys += question.answer.keys(in: buffer[..<count])
        }
        keys += question.answer.lateEscape()
        groundQuestion = question
        decode(keys)
        return hasRead
    }

    /// Uses the answer, and ends the question when that is complete or would be too late.
    func endGroundQuestion() {
        guard let question = groundQuestion else { return }
        if let answered = question.answer.ground, answered != ground { use(ground: answered) }
        if question.answer.isComplete && !question.answer.isWithinSequence || Timestamp.monotonicNow() > question.end {
            groundQuestion = nil
        }
    }

    /// Ends the question before the terminal is given back: the shell must not get its answer as a command.
    func dropGroundQuestion() {
        guard groundQuestion != nil else { return }
        groundQuestion = nil
        tcflush(inputDescriptor, TCIFLUSH)
    }

    private func waitForInput(_ nanoseconds: Int64) -> Bool {
        var watched = pollfd(fd: inputDescriptor, events: CShort(POLLIN), revents: 0)
        return poll(&watched, 1, CInt(clamping: max(0, nanoseconds) / 1_000_000)) > 0
            && CInt(watched.revents) & POLLIN != 0
    }

    /// Lets ncurses decode octets that it has not read itself, by a pipe in the place of the terminal.
    private func decode(_ octets: [UInt8]) {
        var ends: [CInt] = [-1, -1]
        guard !octets.isEmpty, csystem_pipe(&ends) == 0 else { return }
        // A pipe takes a page at least.
        _ = Glibc.write(ends[1], octets, octets.count)
        close(ends[1])
        defer { close(ends[0]) }
        guard csystem_replace_descriptor(inputStream, ends[0]) >= 0 else { return }
        defer { _ = csystem_replace_descriptor(inputStream, inputDescriptor) }
        while true {
            let key = decodedKey()
            guard key != .nothing, key != .closed else { return }
            keysBesideAnswer.append(key)
        }
    }
}
