import Appearance
import Testing

@testable import Configuration

@Suite("Keys and colours in the file")
struct LookTests {
    private func settings(_ text: String) throws -> Settings {
        try Settings(ConfigurationDocument(text))
    }

    private func sentences(_ text: String) -> [String] {
        do {
            _ = try settings(text)
            return []
        } catch {
            return (error as? ConfigurationErrors)?.list.map { $0.sentence(file: "f") } ?? ["?"]
        }
    }

    @Test("a command gets one key, several, a digit or none")
    func keys() throws {
        let keys = try settings(
            "[keys]\nacknowledge = \"F5\"\nquit = [\"Q\", \"F10\"]\nfilter = 1\nrename = []\nsnooze = \"y\"\n"
        ).screen.keys
        #expect(keys[.acknowledge] == [.function(5)])
        #expect(keys[.quit] == [.character("Q"), .function(10)])
        #expect(keys[.filter] == [.character("1")])
        #expect(keys[.rename].isEmpty)
        #expect(keys[.snooze] == [.character("y")])
        #expect(keys[.pauseAudio] == KeyMap.usual[.pauseAudio])
    }

    @Test(
        "keys that cannot be are refused with line, column and reason",
        arguments: [
            (
                "[keys]\nfilter = \"a\"\n",
                "f:2:10: filter: the key a belongs to acknowledge, too, as usual; give one of the two another key"
            ),
            (
                "[keys]\nrename = \"y\"\nforget = \"y\"\n",
                "f:3:10: forget: the key y belongs to rename, too; give one of the two another key"
            ),
            ("[keys]\nquit = []\n", "f:2:8: quit: quit must have a key; give it one"),
            (
                "[keys]\nquit = \"Esc\"\n",
                "f:2:8: quit: Esc closes what is open and never does anything else; choose another key"
            ),
            ("[keys]\nquit = \"Entr\"\n", "f:2:8: quit: there is no key \"Entr\"; did you mean \"Enter\"?"),
            ("[keys]\nquitt = \"x\"\n", "f:2:1: there is no key 'quitt' in [keys]; did you mean 'quit'?"),
            (
                "[keys]\nquit = true\n",
                "f:2:8: quit: expected a key or a list of keys, such as \"a\" or [\"Down\", \"j\"], found true"
            ),
        ])
    func wrongKeys(text: String, sentence: String) {
        #expect(sentences(text) == [sentence])
    }

    @Test("own colours are read, and those that hide alarms refused with line, column and reason")
    func colors() throws {
        let screen = try settings("[screen]\ntheme = \"light\"\n[theme]\nheart_rate = \"#005f00\"\nspo2 = \"usual\"\n")
            .screen
        #expect(screen.theme == "light")
        #expect(screen.ownColors.map(\.value.text) == ["#005f00"])
        #expect(
            sentences("[theme]\nalarm_low_ground = \"#ffd700\"\n") == [
                "f:2:20: alarm_low_ground: alarms of medium priority could not be distinguished from alarms of low priority; "
                    + "choose another colour"
            ])
        #expect(
            sentences("[theme]\nspo2 = \"blu\"\n") == [
                "f:2:8: spo2: there is no colour \"blu\"; did you mean \"blue\"?"
            ])
        #expect(
            sentences("[theme]\nspo = \"blue\"\n") == ["f:2:1: there is no key 'spo' in [theme]; did you mean 'spo2'?"])
    }

    @Test("a theme's file changes a theme")
    func themeFile() throws {
        let document = try ConfigurationDocument("[theme]\nbase = \"light\"   # by day\nheart_rate = \"#005f00\"\n")
        let theme = try ThemeFile(document).theme
        #expect(theme[.heartRate].text?.rgb == 0x005F00)
        #expect(theme[.alarmHigh] == Theme.light[.alarmHigh])
    }

    @Test(
        "a theme's file that is wrong is refused with line, column and reason",
        arguments: [
            ("[theme]\nbase = \"lihgt\"\n", "f:2:8: base: there is no theme \"lihgt\"; did you mean \"light\"?"),
            (
                "[theme]\nalrm_high = \"#fff000\"\n",
                "f:2:1: there is no key \"alrm_high\"; did you mean \"alarm_high\"?"
            ),
            ("[screen]\nunits = \"celsius\"\n", "f:1:2: a theme's file has the section [theme] only"),
            ("base = \"light\"\n", "f:1:1: 'base' stands in no section; put it below [theme]"),
            (
                "[theme]\nground = \"#d70000\"\n",
                "f:2:10: ground: alarms of high priority could not be distinguished from the ground of the screen; "
                    + "choose another colour"
            ),
        ])
    func wrongThemeFile(text: String, sentence: String) throws {
        let document = try ConfigurationDocument(text)
        let mistakes = #expect(throws: ConfigurationErrors.self) { _ = try ThemeFile(document) }
        #expect(mistakes?.list.map { $0.sentence(file: "f") } == [sentence])
    }
}
