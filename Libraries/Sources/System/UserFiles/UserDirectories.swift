import CSystem
import Glibc

/// The folders of a program's files for one user.
///
/// Source: XDG Base Directory Specification 0.8. A variable that is empty or names a relative path counts as not set.
/// Nothing is created here; ``PrivateFile`` makes a folder when something is first written into it.
public struct UserDirectories: Hashable, Sendable {
    /// Configuration: `$XDG_CONFIG_HOME/NAME`, by default `~/.config/NAME`.
    public let configuration: String
    /// State that is of little use on another computer: `$XDG_STATE_HOME/NAME`, by default `~/.local/state/NAME`.
    public let state: String
    /// Data to keep: `$XDG_DATA_HOME/NAME`, by default `~/.local/share/NAME`.
    public let data: String
    /// Sockets and locks of the session: `$XDG_RUNTIME_DIR/NAME`; `nil` where there is none, as it has no substitute.
    public let runtime: String?

    /// Determines the folders.
    ///
    /// - Parameters:
    ///   - name: The program's name, the last part of each path.
    ///   - environment: The value of an environment variable.
    ///   - accountHome: The home folder in the system's list of accounts, for an unset `HOME`.
    /// - Throws: ``UserFileError/noHome``.
    public init(
        for name: String, environment: (String) -> String?, accountHome: () -> String?
    ) throws(UserFileError) {
        func folder(_ variable: String) -> String? {
            environment(variable).flatMap { $0.hasPrefix("/") ? Self.withoutEndingSlashes($0) : nil }
        }
        let home = folder("HOME") ?? accountHome().flatMap { $0.hasPrefix("/") ? $0 : nil }
        func path(_ variable: String, _ substitute: String) throws(UserFileError) -> String {
            if let folder = folder(variable) { return "\(folder)/\(name)" }
            guard let home else { throw .noHome }
            return "\(Self.withoutEndingSlashes(home))/\(substitute)/\(name)"
        }
        configuration = try path("XDG_CONFIG_HOME", ".config")
        state = try path("XDG_STATE_HOME", ".local/state")
        data = try path("XDG_DATA_HOME", ".local/share")
        runtime = folder("XDG_RUNTIME_DIR").map { "\($0)/\(name)" }
    }

    private init(configuration: String, state: String, data: String, runtime: String?) {
        (self.configuration, self.state, self.data, self.runtime) = (configuration, state, data, runtime)
    }

    /// The same folders with a subfolder of state and data.
    public func inside(_ folder: String) -> UserDirectories {
        UserDirectories(
            configuration: configuration, state: "\(state)/\(folder)", data: "\(data)/\(folder)", runtime: runtime)
    }

    /// The folders of the user who runs this process.
    ///
    /// - Throws: ``UserFileError/noHome``.
    public static func current(for name: String = "bedside") throws(UserFileError) -> UserDirectories {
        try UserDirectories(for: name, environment: Environment.value, accountHome: accountHome)
    }

    private static func accountHome() -> String? {
        var account = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // Room for the longest entries in practice; a failure counts as no home.
        var texts = [CChar](repeating: 0, count: 16 * 1024)
        guard getpwuid_r(getuid(), &account, &texts, texts.count, &found) == 0, found != nil, let home = account.pw_dir
        else { return nil }
        return String(cString: home)
    }

    private static func withoutEndingSlashes(_ path: String) -> String {
        var path = Substring(path)
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}

/// The environment of this process.
public enum Environment {
    /// A variable; `nil` where it is not set, or empty.
    public static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The name of this computer; empty if it has none.
    public static var computerName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        // CChar has a sign on amd64, and none on arm64.
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Whether the process belongs to a session over the network (`ssh(1)`).
    public static var isRemote: Bool { value("SSH_CONNECTION") != nil || value("SSH_TTY") != nil }
}
