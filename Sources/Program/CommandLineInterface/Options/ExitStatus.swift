/// The exit statuses of `bedside`, those of BSD's sysexits.h and of a shell for a hang-up.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Success; also after Ctrl-C and SIGTERM.
    case success = 0
    /// `bedside doctor`: Bedside works, but could work better.
    ///
    /// `bedside ward status`: an alarm is unacknowledged.
    case advice = 1
    /// `bedside doctor`: Bedside cannot work.
    ///
    /// `bedside ward status`: an alarm of high priority is unacknowledged.
    case trouble = 2
    /// `bedside status`: no monitor runs, as in scripts of the Linux Standard Base.
    ///
    /// `bedside ward status`: a bed is offline.
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

    /// When it is returned; for the manual page.
    public var explanation: String {
        switch self {
        case .success: "Success; also after Ctrl-C, SIGTERM and a closed pipe."
        case .advice:
            """
            The doctor has advice: Bedside works here, but could work better. bedside ward status: an alarm of medium or low \
            priority waits for an answer.
            """
        case .trouble:
            """
            The doctor has found trouble: Bedside cannot reach sensors here, or cannot start its screen. bedside ward status: \
            an alarm of high priority waits for an answer.
            """
        case .noMonitor:
            "bedside status found no running monitor. bedside ward status: a bed is not heard, or there is none."
        case .usage: "The command line is invalid, or the screen was requested without a terminal."
        case .malformedData:
            "Octets, a scenario file or answers for the set-up are malformed; the store is damaged or was written by a newer Bedside."
        case .noInput: "A file cannot be read."
        case .unavailable:
            """
            Something required is missing: a decoder for the characteristic, a message bus, dbus-daemon. bedside ward status: \
            the broker cannot be reached.
            """
        case .systemError: "The system refused something that should always work."
        case .inputOutputError: "The output cannot be written, or would replace a file."
        case .alreadyMonitored: "Another Bedside monitors this patient already; it continues, and nothing was started."
        case .configuration: "The configuration file is wrong; nothing was started."
        case .hangUp: "The terminal was closed."
        }
    }
}
