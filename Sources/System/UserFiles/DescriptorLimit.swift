import Glibc

/// The limit of open files and sockets of the process.
public enum DescriptorLimit {
    /// Raises the limit as far as the system allows without privileges.
    ///
    /// - Parameter wanted: The wanted number; a higher limit stays.
    /// - Returns: The new limit, at most `wanted`.
    public static func raise(to wanted: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        let wanted = rlim_t(clamping: wanted)
        if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = min(wanted, limit.rlim_max)
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: min(limit.rlim_cur, wanted))
    }
}
