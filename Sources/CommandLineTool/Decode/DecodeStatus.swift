/// The exit statuses of `bedside decode`, from sysexits.
public enum DecodeStatus: Int32, Sendable {
    /// Everything was answered.
    case success = 0
    /// The arguments cannot be used (EX_USAGE).
    case usage = 64
    /// The octets are not what the characteristic allows (EX_DATAERR).
    case malformed = 65
    /// There is no decoder for the characteristic (EX_UNAVAILABLE).
    case unsupported = 69
    /// Standard input or output failed (EX_IOERR).
    case inputOutput = 74
}
