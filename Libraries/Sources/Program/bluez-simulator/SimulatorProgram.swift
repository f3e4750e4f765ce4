import BlueZSimulator
import CSystem
import EventLoops
import Glibc

/// `bluez-simulator`: serves simulated sensors on a private bus until a signal ends it.
///
/// Standard output has one line, the address of the bus, once a client can use it. The exit statuses are those of
/// `sysexits.h`.
@main
enum SimulatorProgram {
    private static let help = """
        Usage: bluez-simulator [OPTION]... [SCENARIO]

        Starts a bus of its own, serves org.bluez with simulated Bluetooth LE sensors on it, and prints its address.
        A client that finds this in DBUS_SYSTEM_BUS_ADDRESS uses it as it would use bluetoothd. It needs no radio and
        no rights. Ctrl-C, SIGTERM or SIGHUP ends it.

        SCENARIO is a file, or one of these names (without it: steady):
        \(names)

          -t, --time-scale=SECONDS  real seconds for each simulated one: 0.1 is ten times as fast; default 1
          -h, --help                print this, and exit
          -V, --version             print the version, and exit

        Exit status: 0 after an interruption, 64 bad usage, 65 bad scenario, 66 no such file, 69 no bus can be started.

        """

    /// The built-in scenarios, in lines that fit a terminal.
    private static var names: String {
        var lines = [""]
        for name in Scenario.builtInNames {
            if (lines.last ?? "").count + name.count > 100 { lines.append("") }
            lines[lines.count - 1] += "  \(name)"
        }
        return lines.joined(separator: "\n")
    }

    /// What the command line asks for.
    private struct Wishes {
        var timeScale = 1.0
        var scenario: String?
    }

    static func main() {
        // Before any other thread is there: each inherits this, so that the signals wait for `sigwait`.
        SignalWatch.block(signals)
        signal(SIGPIPE, SIG_IGN)
        let wishes = wishes()
        let scenario: Scenario
        do {
            scenario = try wishes.scenario.map { name throws(ScenarioError) in try .load(path: name) } ?? .steady
        } catch {
            fail(error.description, error.line == nil ? EX_NOINPUT : EX_DATAERR)
        }
        let simulator = Simulator(scenario, timeScale: wishes.timeScale)
        Task.detached {
            do {
                write("\(try await simulator.start())\n")
            } catch {
                fail("\(error)", EX_UNAVAILABLE)
            }
        }
        waitForSignal()
        Task.detached {
            await simulator.stop()
            exit(EX_OK)
        }
        // A second signal ends it at once.
        waitForSignal()
    }

    private static func wishes() -> Wishes {
        let longOptions = [
            option(name: strdup("time-scale"), has_arg: required_argument, flag: nil, val: letter("t")),
            option(name: strdup("help"), has_arg: no_argument, flag: nil, val: letter("h")),
            option(name: strdup("version"), has_arg: no_argument, flag: nil, val: letter("V")),
            option(),
        ]
        var wishes = Wishes()
        var value: UnsafePointer<CChar>?
        while true {
            switch csystem_getopt_long(CommandLine.argc, CommandLine.unsafeArgv, "t:hV", longOptions, &value) {
            case letter("t"):
                let text = value.map { String(cString: $0) } ?? ""
                guard let scale = Double(text), scale > 0, scale.isFinite else {
                    fail("--time-scale takes a number above 0, such as 0.1, and \(quoted(text)) is none", EX_USAGE)
                }
                wishes.timeScale = scale
            case letter("h"):
                write(help)
                exit(0)
            case letter("V"):
                write("bluez-simulator \(Simulator.version)\n")
                exit(0)
            case -1:
                let first = csystem_getopt_index()
                guard CommandLine.argc - first < 2 else { fail("give one SCENARIO only", EX_USAGE) }
                // getopt_long has moved it behind the options.
                wishes.scenario = CommandLine.unsafeArgv[Int(first)].map { String(cString: $0) }
                return wishes
            // getopt_long has said what is wrong.
            default: exit(EX_USAGE)
            }
        }
    }

    private static func letter(_ letter: Unicode.Scalar) -> Int32 { Int32(letter.value) }

    /// A word of the user's without characters that a terminal would obey.
    private static func quoted(_ text: String) -> String {
        "\"\(String(text.unicodeScalars.filter { $0.properties.generalCategory != .control }.map(Character.init)))\""
    }

    /// Writes text to a descriptor at once; ends the program where nobody can read it.
    private static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var octets = Array(text.utf8)[...]
        while !octets.isEmpty {
            let count = octets.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(EX_IOERR) }
            octets = octets.dropFirst(count)
        }
    }

    private static func fail(_ sentence: String, _ status: Int32) -> Never {
        write("bluez-simulator: \(sentence)\n", to: STDERR_FILENO)
        exit(status)
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private static func waitForSignal() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        var number: Int32 = 0
        sigwait(&set, &number)
    }
}
