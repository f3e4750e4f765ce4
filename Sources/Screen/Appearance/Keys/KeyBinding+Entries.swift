// The keys of manual entries.
extension KeyBinding {
    /// The part of the table.
    static let entries: [KeyBinding] = [
        KeyBinding(
            command: .showRecord, keys: [.character("r")],
            explanation: "open the patient's record: labs, medication, symptoms, vitals, notes", bar: ("record", 24),
            context: .everywhere),
        KeyBinding(
            command: .showContacts, keys: [.character("C")], explanation: "show whom to call", context: .everywhere),
        KeyBinding(
            command: .nextRecordSubject, keys: [.character("/")],
            explanation: "list only labs, medication, symptoms, vitals or notes; then all", bar: ("show", 8),
            context: .record),
        KeyBinding(
            command: .showDays, keys: [.character("D")],
            explanation: "open the last two weeks at a glance: each vital day by day, ANC, medication, symptoms",
            bar: ("days", 25), context: .everywhere),
        KeyBinding(
            command: .previousDay, keys: [.left], explanation: "read the day before", bar: ("day", 7), context: .days),
        KeyBinding(command: .nextDay, keys: [.right], explanation: "read the day after", context: .days),
        KeyBinding(
            command: .openDay, keys: [.enter], explanation: "open that day in the trends, from the store",
            bar: ("open day", 2), context: .days),
        KeyBinding(
            command: .showEntries, keys: [.character("e")],
            explanation:
                "enter by hand: vitals, blood count, medication, symptoms, a note",
            bar: ("enter", 20),
            context: .everywhere),
        KeyBinding(
            command: .chooseEntry, keys: [.enter],
            explanation: "enter what is selected, or take the selected entry back; in the record correct it",
            bar: ("choose", 2),
            context: .entries),
        KeyBinding(
            command: .enterTemperature, keys: [.character("t")], explanation: "enter a body temperature",
            context: .entries),
        KeyBinding(
            command: .enterHeartRate, keys: [.character("h")], explanation: "enter a heart rate", context: .entries),
        KeyBinding(
            command: .enterSaturation, keys: [.character("o")], explanation: "enter an oxygen saturation",
            context: .entries),
        KeyBinding(
            command: .enterPressure, keys: [.character("b")], explanation: "enter a blood pressure",
            context: .entries),
        KeyBinding(
            command: .enterGlucose, keys: [.character("s")], explanation: "enter a glucose value (blood sugar)",
            context: .entries),
        KeyBinding(command: .enterWeight, keys: [.character("w")], explanation: "enter a weight", context: .entries),
        KeyBinding(
            command: .enterLab, keys: [.character("f")],
            explanation: "enter a full blood count: white cells, haemoglobin, platelets, differential",
            context: .entries),
        KeyBinding(
            command: .enterMedication, keys: [.character("m")], explanation: "enter a medication that was given",
            context: .entries),
        KeyBinding(
            command: .enterSymptom, keys: [.character("y")], explanation: "enter a symptom, rated from 0 to 10",
            context: .entries),
        KeyBinding(
            command: .enterRiskIndex, keys: [.character("M")], explanation: "enter a MASCC risk index",
            context: .entries),
        KeyBinding(command: .enterNote, keys: [.character("n")], explanation: "enter a note", context: .entries),
        KeyBinding(
            command: .retractEntry, keys: [.character("x")],
            explanation: "take the selected entry back, or the last one; asks first", bar: ("take back", 5),
            context: .entries),
        KeyBinding(
            command: .correctEntry, keys: [.character("E")],
            explanation: "correct the selected entry; the original stays", bar: ("correct", 7), context: .entries),
    ]
}
