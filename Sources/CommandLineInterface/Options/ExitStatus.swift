/// The exit statuses of `bedside`, those of BSD's sysexits.h and of a shell for a hang-up.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    /// All went well; also after Ctrl-C and SIGTERM.
    case success = 0
    /// `bedside doctor`: Bedside works, but could do better.
    case advice = 1
    /// `bedside doctor`: Bedside cannot do its work.
    case trouble = 2
    /// `bedside status`: no monitor runs; as in the Linux Standard Base's scripts.
    case noMonitor = 3
    /// EX_USAGE.
    case usage = 64
    /// EX_DATAERR.
    case malformedData = 65
    /// EX_NOINPUT.
    case noInput = 66
    /// EX_UNAVAILABLE.
    case unavailable = 69
    /// EX_OSERR.
    case systemError = 71
    /// EX_IOERR.
    case inputOutputError = 74
    /// EX_TEMPFAIL.
    case alreadyMonitored = 75
    /// EX_CONFIG.
    case configuration = 78
    /// 128 + SIGHUP.
    case hangUp = 129

    /// When it is given, for the manual page.
    public var explanation: String {
        switch self {
        case .success: "All went well; also after Ctrl-C, SIGTERM and a closed pipe."
        case .advice: "The doctor has advice: Bedside works here, but could do better."
        case .trouble: "The doctor has found trouble: Bedside cannot reach sensors here, or cannot start its screen."
        case .noMonitor: "bedside status has found no monitor that runs."
        case .usage: "The command line cannot be understood, or the screen was asked for without a terminal."
        case .malformedData:
            "Octets or a scenario file are malformed; the store is damaged or made by a newer Bedside."
        case .noInput: "A file cannot be read."
        case .unavailable:
            "Something that is needed is not there: a decoder for the characteristic, a message bus, dbus-daemon."
        case .systemError: "The system refused something that should always work."
        case .inputOutputError: "The output cannot be written, or would replace a file."
        case .alreadyMonitored: "Another Bedside monitors this patient already; it goes on, and nothing was started."
        case .configuration: "The configuration file is wrong; nothing was started."
        case .hangUp: "The terminal was closed."
        }
    }
}
