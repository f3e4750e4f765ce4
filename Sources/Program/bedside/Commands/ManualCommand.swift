import Base
import BlueZSimulator
import CommandLineInterface
import Configuration
import Engine
import JSON
import Recording
import UserFiles
import Vitals

/// `bedside --man`: the manual pages.
enum ManualCommand {
    /// The pages by the names in the option.
    private static let pages: [(name: String, text: @Sendable () -> String)] = [
        ("bedside", ManualPage.text), ("bedside.toml", ManualPage.configurationText),
        ("bedside-scenario", { ManualPage.scenarioText(scenarioParts) }),
    ]

    /// Prints the page named by the option, by default that of the program.
    static func run(_ arguments: CommandLineArguments) -> ExitStatus {
        let name = arguments.value(of: .manual) ?? "bedside"
        guard let page = pages.first(where: { $0.name == name }) else {
            let names = pages.map(\.name)
            let hint = nearestWord(to: name, among: names).map { "; did you mean '\($0)'?" }
            complain(
                arguments.mistake(
                    "there is no manual page '\(name)'\(hint ?? "; there are \(names.joined(separator: ", "))")"
                ).sentence)
            return .usage
        }
        return printText(page.text())
    }

    /// The parts of the page about scenarios.
    static var scenarioParts: [ManualPage.ScenarioPart] {
        [
            ManualPage.ScenarioPart(
                title: "Description",
                introduction: """
                    A scenario is a JSON5 file: sensors, what they measure over time, and what happens to them. Comments, \
                    trailing commas, names without quotes, single quotes, hexadecimal numbers and signs are allowed. A \
                    mistake is reported in one sentence with file, line and field.
                    """,
                rows: ScenarioReference.whole, example: example),
            ManualPage.ScenarioPart(
                title: "Sensors",
                introduction: """
                    Each member of `sensors` has these fields. A quantity is a number, a curve `[[seconds, value], …]` with \
                    straight lines between its points, or an object with one of both as `value`, a `noise` (the greatest \
                    distance) and `waves: [{amplitude, period}]`. The devices are \(devices).
                    """,
                rows: ScenarioReference.sensor),
            ManualPage.ScenarioPart(
                title: "Events",
                introduction: "Each member of `events` has its time, `at`, in seconds, and one of:",
                // The article is not installed.
                rows: ScenarioReference.event.map { row in
                    (
                        row.name,
                        row.meaning.exchanging("<doc:DrivingSensors>", for: "the documentation of BlueZSimulator")
                    )
                }),
            ManualPage.ScenarioPart(
                title: "Conversations",
                introduction: "A sensor that answers, has stored values or sleeps has these fields besides:",
                rows: ScenarioReference.conversation),
            ManualPage.ScenarioPart(
                title: "Nights of a ring", introduction: "Each member of `nights` has these fields:",
                rows: ScenarioReference.night),
            ManualPage.ScenarioPart(
                title: "Octets",
                introduction: """
                    Octets of conversations are pairs of hexadecimal digits and places in braces that are filled in when \
                    they are sent:
                    """,
                rows: ScenarioReference.places),
        ]
    }

    private static var devices: String {
        Scenario.deviceNames.map { "`\($0)`" }.joined(separator: ", ")
    }

    private static let example = """
        {
          title: 'A fever and a loose strap',
          sensors: [
            {
              name: 'CORE 1A2B', address: 'C0:52:49:00:00:01', kind: 'core',
              temperature: { value: [[0, 36.8], [240, 38.6]], noise: 0.02 },
            },
            { name: 'Polar H10', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', heartRate: 72 },
          ],
          events: [
            { at: 90, sensor: 'Polar H10', do: 'offBody' },
            { at: 120, sensor: 'Polar H10', do: 'onBody' },
          ],
        }
        """
}

/// `bedside help`: the help of a subcommand.
enum HelpCommand {
    /// Prints the help of the subcommand in the operand.
    ///
    /// - Throws: ``CommandError`` when there is no such subcommand.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        guard let name = arguments.operands.first else { return print(.dashboard) }
        guard let subcommand = Subcommand(rawValue: name) else {
            let hint = UsageError.hint(name, Subcommand.allCases.map(\.rawValue))
            throw arguments.mistake("there is no command '\(name)'\(hint)")
        }
        return print(subcommand)
    }

    /// Prints the help of a subcommand, as wide as standard output.
    static func print(_ subcommand: Subcommand) -> ExitStatus {
        printText(HelpText.text(for: subcommand, width: StandardOutput.width))
    }
}

/// `bedside completions`: prints the completion of the command line for a shell.
enum CompletionsCommand {
    /// Prints the script for the shell in the operand, or the remembered sensors for it.
    ///
    /// - Throws: ``CommandError`` for an unknown operand, or a store that cannot be read.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let names = Shell.allCases.map(\.rawValue)
        guard let name = arguments.operands.first else {
            throw arguments.mistake("say for which shell: \(names.joined(separator: ", "))")
        }
        if name == "sensors" { return printText(SensorWords.lines(try sensors(arguments))) }
        guard let shell = Shell(rawValue: name) else {
            throw arguments.mistake("there is no completion for '\(name)'\(UsageError.hint(name, names + ["sensors"]))")
        }
        return printText(shell.completionScript)
    }

    /// The remembered sensors of the patient.
    private static func sensors(_ arguments: CommandLineArguments) throws(CommandError) -> [RememberedSensor] {
        let patient = try Settings.patient(arguments)
        let path: String
        do throws(UserFileError) {
            path = try StorePath.current(of: patient, isSimulated: arguments.has(.simulatedStore))
        } catch {
            throw CommandError(error.description, status: .noInput)
        }
        do throws(StoreError) {
            return try SensorMemory.read(path)
        } catch {
            throw RecordedStore.failure(error)
        }
    }
}
