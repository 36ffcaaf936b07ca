#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// The number of files, sockets among them, that the program may have open.
enum OpenFiles {
    /// Raises the limit to `count`, or as far as the system allows. A limit that is higher stays.
    ///
    /// - Returns: the limit now; `Int.max` if there is none.
    static func allow(_ count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return .max }
        let wanted = min(rlim_t(count), limit.rlim_max)
        if wanted > limit.rlim_cur {
            var raised = limit
            raised.rlim_cur = wanted
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Darwin)
    private static var resource: Int32 { RLIMIT_NOFILE }
    #else
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #endif
}
