import Appearance
import Base
import Entries
import Monitoring
import Vitals
import Wording

// How something is entered by hand.
extension ScreenState {
    /// Begins a manual entry.
    mutating func beginEntry(_ kind: RecordEntry.Kind) {
        if let form = FormDraft(kind) { return ask(form) }
        dialogs.ask(
            .entry(ManualDraft(kind, units: units)),
            glyphs.fit(EntryPrompt(kind, temperatureUnit).explanation))
    }

    /// Begins to enter what a command enters.
    ///
    /// - Returns: Whether it enters anything.
    mutating func beginEntry(by command: Command) -> Bool {
        guard let kind = RecordEntry.Kind.typed.first(where: { $0.command == command }) else { return false }
        beginEntry(kind)
        return true
    }

    /// Asks whether to take the last entry back.
    mutating func askToRetractLast(in state: MonitorState) {
        guard let last = state.patientRecord.newestFirst.first(where: { !$0.isRetracted }) else {
            dialogs.message = "There is no entry that could be taken back."
            return
        }
        askToRetract(last.id, in: state)
    }

    /// Asks whether to take an entry back.
    mutating func askToRetract(_ id: RecordEntry.ID, in state: MonitorState) {
        guard let entry = state.patientRecord.entries.first(where: { $0.id == id }) else { return }
        guard !entry.isRetracted else {
            dialogs.message = "It was taken back already. Enter the right value anew."
            return
        }
        let words = sanitized(ManualLabels(units).text(of: entry), limit: 60)
        if entry.isUnconfirmed {
            return dialogs.ask(
                .choice(Choice("Discard \(words)?", ifYes: .patient(.retract(id, reason: RecordEntry.discarded)))),
                "It stays in the list and in exports, marked as a mistake; alarms that it raised end.")
        }
        dialogs.ask(
            .choice(Choice("Take back \(words)?", ifYes: .patient(.retract(id)))),
            "It stays in the list and in exports, marked as a mistake; alarms that it raised end.")
    }

    /// The wish to confirm a measurement; `nil` with a message where that is none that waits for it.
    ///
    /// - Parameter id: The selected entry; without one the only measurement that waits is meant.
    mutating func confirm(_ id: RecordEntry.ID?, in state: MonitorState) -> ScreenWish? {
        let waiting = state.patientRecord.unconfirmed
        if let id, waiting.contains(where: { $0.id == id }) { return .patient(.confirm([id])) }
        guard !waiting.isEmpty else {
            dialogs.message = "No measurement waits to be confirmed."
            return nil
        }
        guard id == nil, waiting.count == 1 else {
            dialogs.message = "Select a measurement that is marked as unconfirmed."
            return nil
        }
        return .patient(.confirm(waiting.map(\.id)))
    }

    /// Asks which person of a device is the patient, if measurements wait for that.
    mutating func askForUser(in state: MonitorState) {
        guard let question = state.deviceUsers.questions.first else {
            dialogs.message = "No device asks which of several persons is the patient."
            return
        }
        let letters = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
        let answers = question.users.prefix(letters.count).enumerated().map { place, number in
            Choice.Answer(
                (0..<10).contains(number) ? Unicode.Scalar(UInt8(48 + number)) : letters[place], "user \(number)",
                .patient(.chooseUser(address: question.sensor.address, number)))
        }
        let newest = question.users.map { number in
            let entries = (state.patientRecord.entries + state.deviceUsers.waiting).filter {
                $0.sensor.address == question.sensor.address && $0.facts.user == number && !$0.isRetracted
            }
            let words = entries.last.map { ManualLabels(units).value(of: $0) } ?? "nothing"
            return "user \(number): \(words)"
        }
        dialogs.ask(
            .choice(Choice("Which user of \(question.sensor.shortName(limit: 20)) is the patient?", Array(answers))),
            glyphs.fit("\(newest.joined(separator: "; ")). What is measured of others is left out."))
    }

    /// Asks whether to confirm all measurements that wait for it.
    mutating func askToConfirmAll(in state: MonitorState) {
        let waiting = state.patientRecord.unconfirmed
        guard !waiting.isEmpty else {
            dialogs.message = "No measurement waits to be confirmed."
            return
        }
        let text =
            waiting.count == 1
            ? sanitized(ManualLabels(units).text(of: waiting[0]), limit: 60) : "all \(waiting.count) measurements"
        dialogs.ask(
            .choice(Choice("Confirm \(text)?", ifYes: .patient(.confirm(waiting.map(\.id))))),
            "They are this patient's and were measured well.")
    }

    /// Handles a key while a value is typed, or a question about it is open.
    mutating func keyPressed(
        _ key: Key, in draft: ManualDraft, _ state: MonitorState, at now: Moment
    ) -> ScreenWish? {
        var draft = draft
        if let question = draft.question {
            switch question.choice.answer(to: key)?.key {
            // A doubtful value calibrates nothing by the same key; `B` asks for it.
            case "y": return accept(question.entry, draft, in: state, at: now, mayCalibrate: false)
            case "n":
                draft.question = nil
                dialogs.ask(
                    .entry(draft), glyphs.fit(EntryPrompt(draft.kind, temperatureUnit).explanation))
            default: if key == .escape { dialogs.closeInputLine() }
            }
            return nil
        }
        switch draft.prompt.keyPressed(key) {
        case .accepted: break
        case .cancelled:
            dialogs.closeInputLine()
            return nil
        case .edited, .ignored:
            dialogs.update(.entry(draft))
            return nil
        }
        do throws(ManualReader.EntryError) {
            let outcome = try ManualReader.read(
                draft.prompt.text, as: draft.kind, unit: temperatureUnit, now: now, timeZone: session.timeZone,
                measuredAt: draft.corrected?.taken)
            switch outcome {
            case .entry(let entry): return accept(entry, draft, in: state, at: now)
            case .withdrawn:
                dialogs.closeInputLine()
                return .patient(.setNeutrophils(nil))
            case .question(let sentence, let entry):
                draft.question = ManualDraft.Question(sentence: glyphs.fit(sentence), entry: entry)
                dialogs.ask(.entry(draft))
            }
        } catch {
            dialogs.explain(glyphs.fit(error.description))
        }
        return nil
    }

    private mutating func accept(
        _ entry: RecordEntry, _ draft: ManualDraft, in state: MonitorState, at now: Moment, mayCalibrate: Bool = true
    ) -> ScreenWish? {
        dialogs.closeInputLine()
        if let corrected = draft.corrected {
            askWhy(entry, corrects: corrected)
            return nil
        }
        if mayCalibrate { askToCalibrate(by: entry, in: state, at: now) }
        return .patient(.enter(entry))
    }
}

// How glucose sensors that send counts are calibrated.
extension ScreenState {
    /// Asks whether to calibrate the sensors that send counts with a value that was just typed.
    private mutating func askToCalibrate(by entry: RecordEntry, in state: MonitorState, at now: Moment) {
        let proposals = state.calibrationProposals(by: entry)
        let possible = proposals.filter { if case .success = $0.result { true } else { false } }
        guard !possible.isEmpty else {
            guard let refused = proposals.first, case .failure(let problem) = refused.result else { return }
            dialogs.message = glyphs.fit("\(refused.sensor.shortName(limit: 20)) is not calibrated: \(problem.text).")
            return
        }
        guard possible.count > 1 else { return askToCalibrate(possible[0], with: entry, at: now, isUnasked: true) }
        let answers = possible.prefix(9).enumerated().compactMap { place, proposal in
            Unicode.Scalar(UInt32(0x31 + place)).map {
                Choice.Answer(
                    $0, proposal.sensor.shortName(limit: 20),
                    .patient(.calibrate(address: proposal.sensor.address, with: entry.id)))
            }
        }
        dialogs.askUnasked(
            .choice(Choice("Calibrate which sensor with it?", Array(answers) + [Choice.Answer("n", "none", nil)])),
            Self.calibrationAdvice)
    }

    /// Asks whether to calibrate a sensor with the newest typed value that can.
    mutating func askToCalibrate(_ sensor: SensorState, in state: MonitorState, at now: Moment) {
        let entries = state.patientRecord.newestFirst.filter {
            $0.kind == .glucose && $0.isTypedHere && !$0.isRetracted
        }
        var problem: CalibrationProblem?
        for entry in entries where now.since(entry.taken) <= RawGlucoseTrail.longestDistance * 2 {
            guard
                let proposal = state.calibrationProposals(by: entry).first(where: {
                    $0.sensor.address == sensor.identity.address
                })
            else { continue }
            switch proposal.result {
            case .success: return askToCalibrate(proposal, with: entry, at: now)
            case .failure(let found): problem = problem ?? found
            }
        }
        let name = sensor.identity.shortName(limit: 20)
        dialogs.message = glyphs.fit(
            problem.map { "\(name) is not calibrated: \($0.text)." }
                ?? "Type the value of a finger-prick first: it calibrates \(name).")
    }

    private mutating func askToCalibrate(
        _ proposal: CalibrationProposal, with entry: RecordEntry, at now: Moment, isUnasked: Bool = false
    ) {
        let wish = ScreenWish.patient(.calibrate(address: proposal.sensor.address, with: entry.id))
        let line = InputLine.choice(
            Choice(
                glyphs.fit(
                    "Calibrate \(proposal.sensor.shortName(limit: 20)) with \(ManualLabels(units).value(of: entry))?"),
                ifYes: wish))
        if isUnasked {
            dialogs.askUnasked(line, Self.calibrationAdvice)
        } else {
            dialogs.ask(line, Self.calibrationAdvice)
        }
    }

    /// Says why a sensor can no longer be calibrated with a value, if so; the question may have stood for a while.
    mutating func explainRefusal(of wish: ScreenWish?, in state: MonitorState) {
        guard case .monitor(.patient(.calibrate(let address, let id)))? = wish,
            let entry = state.patientRecord.entries.first(where: { $0.id == id }),
            let proposal = state.calibrationProposals(by: entry).first(where: { $0.sensor.address == address }),
            case .failure(let problem) = proposal.result
        else { return }
        dialogs.message = glyphs.fit("\(proposal.sensor.shortName(limit: 20)) is not calibrated: \(problem.text).")
    }

    private static let calibrationAdvice =
        "Only if this patient wears it, and a clean finger was pricked while the glucose was steady."
}
