// The part of Darwin that the drivers use, as Swift imports it: types, signs and optionality are the SDK's, from the headers
// of XNU and Libc. With it script/check-darwin type-checks the branches behind 'canImport(Darwin)'. Nothing of it is run.

public func stub() -> Never { fatalError("a declaration, no code") }

// MARK: Types

public typealias pid_t = Int32
public typealias uid_t = UInt32
public typealias gid_t = UInt32
public typealias mode_t = UInt16
public typealias nlink_t = UInt16
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias off_t = Int64
public typealias ssize_t = Int
public typealias time_t = Int
public typealias suseconds_t = Int32
public typealias useconds_t = UInt32
public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32
public typealias sigset_t = UInt32
public typealias fsblkcnt_t = UInt32

public struct timeval {
    public var tv_sec: time_t {
        get { stub() }
        set { stub() }
    }
    public var tv_usec: suseconds_t {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(tv_sec: time_t, tv_usec: suseconds_t) { stub() }
}

public struct timespec {
    public var tv_sec: time_t {
        get { stub() }
        set { stub() }
    }
    public var tv_nsec: Int {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(tv_sec: time_t, tv_nsec: Int) { stub() }
}

public struct linger {
    public var l_onoff: Int32 {
        get { stub() }
        set { stub() }
    }
    public var l_linger: Int32 {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(l_onoff: Int32, l_linger: Int32) { stub() }
}

public struct in_addr {
    public var s_addr: in_addr_t {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(s_addr: in_addr_t) { stub() }
}

public struct in6_addr {
    public init() { stub() }
}

public struct sockaddr {
    public var sa_len: UInt8 {
        get { stub() }
        set { stub() }
    }
    public var sa_family: sa_family_t {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(sa_len: UInt8, sa_family: sa_family_t) { stub() }
}

public struct sockaddr_in {
    public var sin_len: UInt8 {
        get { stub() }
        set { stub() }
    }
    public var sin_family: sa_family_t {
        get { stub() }
        set { stub() }
    }
    public var sin_port: in_port_t {
        get { stub() }
        set { stub() }
    }
    public var sin_addr: in_addr {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(sin_len: UInt8, sin_family: sa_family_t, sin_port: in_port_t, sin_addr: in_addr) { stub() }
}

public struct sockaddr_in6 {
    public var sin6_len: UInt8 {
        get { stub() }
        set { stub() }
    }
    public var sin6_family: sa_family_t {
        get { stub() }
        set { stub() }
    }
    public var sin6_port: in_port_t {
        get { stub() }
        set { stub() }
    }
    public var sin6_flowinfo: UInt32 {
        get { stub() }
        set { stub() }
    }
    public var sin6_addr: in6_addr {
        get { stub() }
        set { stub() }
    }
    public var sin6_scope_id: UInt32 {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
}

public struct sockaddr_un {
    public var sun_len: UInt8 {
        get { stub() }
        set { stub() }
    }
    public var sun_family: sa_family_t {
        get { stub() }
        set { stub() }
    }
    public var sun_path:
        (
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar
        )
    {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
}

public struct sockaddr_storage {
    public var ss_len: UInt8 {
        get { stub() }
        set { stub() }
    }
    public var ss_family: sa_family_t {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(ss_len: UInt8, ss_family: sa_family_t) { stub() }
}

public struct stat {
    public var st_dev: dev_t {
        get { stub() }
        set { stub() }
    }
    public var st_mode: mode_t {
        get { stub() }
        set { stub() }
    }
    public var st_nlink: nlink_t {
        get { stub() }
        set { stub() }
    }
    public var st_ino: ino_t {
        get { stub() }
        set { stub() }
    }
    public var st_uid: uid_t {
        get { stub() }
        set { stub() }
    }
    public var st_gid: gid_t {
        get { stub() }
        set { stub() }
    }
    public var st_mtimespec: timespec {
        get { stub() }
        set { stub() }
    }
    public var st_size: off_t {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
}

public struct statvfs {
    public var f_bsize: UInt {
        get { stub() }
        set { stub() }
    }
    public var f_frsize: UInt {
        get { stub() }
        set { stub() }
    }
    public var f_blocks: fsblkcnt_t {
        get { stub() }
        set { stub() }
    }
    public var f_bfree: fsblkcnt_t {
        get { stub() }
        set { stub() }
    }
    public var f_bavail: fsblkcnt_t {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
    public init(f_bsize: UInt, f_frsize: UInt, f_blocks: fsblkcnt_t, f_bfree: fsblkcnt_t, f_bavail: fsblkcnt_t) {
        stub()
    }
}

public struct addrinfo {
    public var ai_flags: Int32 {
        get { stub() }
        set { stub() }
    }
    public var ai_family: Int32 {
        get { stub() }
        set { stub() }
    }
    public var ai_socktype: Int32 {
        get { stub() }
        set { stub() }
    }
    public var ai_protocol: Int32 {
        get { stub() }
        set { stub() }
    }
    public var ai_addrlen: socklen_t {
        get { stub() }
        set { stub() }
    }
    public var ai_canonname: UnsafeMutablePointer<CChar>! {
        get { stub() }
        set { stub() }
    }
    public var ai_addr: UnsafeMutablePointer<sockaddr>! {
        get { stub() }
        set { stub() }
    }
    public var ai_next: UnsafeMutablePointer<addrinfo>! {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
}

public struct dirent {
    public var d_ino: UInt64 {
        get { stub() }
        set { stub() }
    }
    public var d_namlen: UInt16 {
        get { stub() }
        set { stub() }
    }
    public var d_type: UInt8 {
        get { stub() }
        set { stub() }
    }
    public var d_name:
        (
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
            CChar
        )
    {
        get { stub() }
        set { stub() }
    }
    public init() { stub() }
}

public struct DIR {}
public struct clockid_t: RawRepresentable, Equatable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { stub() }
}
public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public struct pthread_attr_t {
    public init() { stub() }
}
public struct pthread_mutex_t {
    public init() { stub() }
}
public struct pthread_mutexattr_t {
    public init() { stub() }
}
public struct pthread_cond_t {
    public init() { stub() }
}
public struct pthread_condattr_t {
    public init() { stub() }
}
public struct pollfd {
    public var fd: Int32
    public var events: Int16
    public var revents: Int16
    public init() { stub() }
    public init(fd: Int32, events: Int16, revents: Int16) { stub() }
}

public struct qos_class_t: RawRepresentable, Equatable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { stub() }
}

// MARK: Numbers

public var errno: Int32 {
    get { stub() }
    set { stub() }
}
public var EPERM: Int32 { 1 }
public var EINTR: Int32 { 4 }
public var EIO: Int32 { 5 }
public var EACCES: Int32 { 13 }
public var EBUSY: Int32 { 16 }
public var EEXIST: Int32 { 17 }
public var ENOTDIR: Int32 { 20 }
public var EINVAL: Int32 { 22 }
public var EFBIG: Int32 { 27 }
public var ENOSPC: Int32 { 28 }
public var EMLINK: Int32 { 31 }
public var EAGAIN: Int32 { 35 }
public var EWOULDBLOCK: Int32 { 35 }
public var EADDRINUSE: Int32 { 48 }
public var EADDRNOTAVAIL: Int32 { 49 }
public var ENOBUFS: Int32 { 55 }
public var ECONNREFUSED: Int32 { 61 }
public var ELOOP: Int32 { 62 }
public var ENAMETOOLONG: Int32 { 63 }
public var EDQUOT: Int32 { 69 }
public var ENOSYS: Int32 { 78 }
public var EILSEQ: Int32 { 92 }
public var EOPNOTSUPP: Int32 { 102 }
public var ENOENT: Int32 { 2 }
public var AF_UNSPEC: Int32 { 0 }
public var AF_UNIX: Int32 { 1 }
public var AF_INET: Int32 { 2 }
public var AF_INET6: Int32 { 30 }
public var SOCK_STREAM: Int32 { 1 }
public var SOCK_DGRAM: Int32 { 2 }
public var IPPROTO_IPV6: Int32 { 41 }
public var IPPROTO_UDP: Int32 { 17 }
public var IPPROTO_TCP: Int32 { 6 }
public var IPV6_V6ONLY: Int32 { 27 }
public var SO_REUSEADDR: Int32 { 4 }
public var SO_BROADCAST: Int32 { 32 }
public var SO_SNDBUF: Int32 { 4097 }
public var SO_RCVBUF: Int32 { 4098 }
public var SO_SNDTIMEO: Int32 { 4101 }
public var SO_RCVTIMEO: Int32 { 4102 }
public var SO_NOSIGPIPE: Int32 { 4130 }
public var SO_LINGER: Int32 { 128 }
public var SOL_SOCKET: Int32 { 65535 }
public var MSG_DONTWAIT: Int32 { 128 }
public var AI_PASSIVE: Int32 { 1 }
public var AI_NUMERICHOST: Int32 { 4 }
public var AI_NUMERICSERV: Int32 { 4096 }
public var O_RDONLY: Int32 { 0 }
public var O_WRONLY: Int32 { 1 }
public var O_RDWR: Int32 { 2 }
public var O_NONBLOCK: Int32 { 4 }
public var O_NOFOLLOW: Int32 { 256 }
public var O_CREAT: Int32 { 512 }
public var O_TRUNC: Int32 { 1024 }
public var O_EXCL: Int32 { 2048 }
public var O_DIRECTORY: Int32 { 1048576 }
public var O_CLOEXEC: Int32 { 16777216 }
public var F_SETFD: Int32 { 2 }
public var F_GETFL: Int32 { 3 }
public var F_SETFL: Int32 { 4 }
public var FD_CLOEXEC: Int32 { 1 }
public var F_OK: Int32 { 0 }
public var W_OK: Int32 { 2 }
public var R_OK: Int32 { 4 }
public var X_OK: Int32 { 1 }
public var LOCK_SH: Int32 { 1 }
public var LOCK_EX: Int32 { 2 }
public var LOCK_NB: Int32 { 4 }
public var LOCK_UN: Int32 { 8 }
public var SIG_BLOCK: Int32 { 1 }
public var SIGXFSZ: Int32 { 25 }
public var SIGPIPE: Int32 { 13 }
public var AT_SYMLINK_NOFOLLOW: Int32 { 32 }
public var AT_FDCWD: Int32 { -2 }
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFDIR: mode_t { 0o040000 }
public var DT_REG: Int32 { 8 }
public var DT_DIR: Int32 { 4 }
public var DT_LNK: Int32 { 10 }
public var DT_UNKNOWN: Int32 { 0 }
public var CLOCK_UPTIME_RAW: clockid_t { stub() }
public var CLOCK_REALTIME: clockid_t { stub() }
public var QOS_CLASS_USER_INTERACTIVE: qos_class_t { stub() }
public var QOS_CLASS_UTILITY: qos_class_t { stub() }

// MARK: Functions

@discardableResult public func close(_: Int32) -> Int32 { stub() }
@discardableResult public func unlink(_: UnsafePointer<CChar>!) -> Int32 { stub() }
@discardableResult public func unlinkat(_: Int32, _: UnsafePointer<CChar>!, _: Int32) -> Int32 { stub() }
@discardableResult public func strerror(_: Int32) -> UnsafeMutablePointer<CChar>! { stub() }
@discardableResult public func setsockopt(
    _: Int32, _: Int32, _: Int32, _: UnsafeRawPointer!, _: socklen_t
) -> Int32 { stub() }
@discardableResult public func getsockopt(
    _: Int32, _: Int32, _: Int32, _: UnsafeMutableRawPointer!, _: UnsafeMutablePointer<socklen_t>!
) -> Int32 { stub() }
@discardableResult public func geteuid() -> uid_t { stub() }
@discardableResult public func getuid() -> uid_t { stub() }
@discardableResult public func getpid() -> pid_t { stub() }
@discardableResult public func fcntl(_: Int32, _: Int32) -> Int32 { stub() }
@discardableResult public func fcntl(_: Int32, _: Int32, _: Int32) -> Int32 { stub() }
@discardableResult public func open(_: UnsafePointer<CChar>, _: Int32) -> Int32 { stub() }
@discardableResult public func open(_: UnsafePointer<CChar>, _: Int32, _: mode_t) -> Int32 { stub() }
@discardableResult public func openat(_: Int32, _: UnsafePointer<CChar>, _: Int32) -> Int32 { stub() }
@discardableResult public func openat(_: Int32, _: UnsafePointer<CChar>, _: Int32, _: mode_t) -> Int32 { stub() }
@discardableResult public func socket(_: Int32, _: Int32, _: Int32) -> Int32 { stub() }
@discardableResult public func send(_: Int32, _: UnsafeRawPointer!, _: Int, _: Int32) -> Int { stub() }
@discardableResult public func sendto(
    _: Int32, _: UnsafeRawPointer!, _: Int, _: Int32, _: UnsafePointer<sockaddr>!, _: socklen_t
) -> Int { stub() }
@discardableResult public func recv(_: Int32, _: UnsafeMutableRawPointer!, _: Int, _: Int32) -> Int { stub() }
@discardableResult public func recvfrom(
    _: Int32, _: UnsafeMutableRawPointer!, _: Int, _: Int32, _: UnsafeMutablePointer<sockaddr>!,
    _: UnsafeMutablePointer<socklen_t>!
) -> Int { stub() }
@discardableResult public func bind(_: Int32, _: UnsafePointer<sockaddr>!, _: socklen_t) -> Int32 { stub() }
@discardableResult public func connect(_: Int32, _: UnsafePointer<sockaddr>!, _: socklen_t) -> Int32 { stub() }
@discardableResult public func listen(_: Int32, _: Int32) -> Int32 { stub() }
@discardableResult public func accept(
    _: Int32, _: UnsafeMutablePointer<sockaddr>!, _: UnsafeMutablePointer<socklen_t>!
) -> Int32 { stub() }
@discardableResult public func getsockname(
    _: Int32, _: UnsafeMutablePointer<sockaddr>!, _: UnsafeMutablePointer<socklen_t>!
) -> Int32 { stub() }
@discardableResult public func renameat(
    _: Int32, _: UnsafePointer<CChar>!, _: Int32, _: UnsafePointer<CChar>!
) -> Int32 { stub() }
@discardableResult public func linkat(
    _: Int32, _: UnsafePointer<CChar>!, _: Int32, _: UnsafePointer<CChar>!, _: Int32
) -> Int32 { stub() }
@discardableResult public func pread(_: Int32, _: UnsafeMutableRawPointer!, _: Int, _: off_t) -> Int { stub() }
@discardableResult public func pwrite(_: Int32, _: UnsafeRawPointer!, _: Int, _: off_t) -> Int { stub() }
@discardableResult public func read(_: Int32, _: UnsafeMutableRawPointer!, _: Int) -> Int { stub() }
@discardableResult public func write(_: Int32, _: UnsafeRawPointer!, _: Int) -> Int { stub() }
@discardableResult public func fsync(_: Int32) -> Int32 { stub() }
@discardableResult public func fstat(_: Int32, _: UnsafeMutablePointer<stat>!) -> Int32 { stub() }
@discardableResult public func access(_: UnsafePointer<CChar>!, _: Int32) -> Int32 { stub() }
@discardableResult public func mkdir(_: UnsafePointer<CChar>!, _: mode_t) -> Int32 { stub() }
@discardableResult public func chmod(_: UnsafePointer<CChar>!, _: mode_t) -> Int32 { stub() }
@discardableResult public func fchmod(_: Int32, _: mode_t) -> Int32 { stub() }
@discardableResult public func futimens(_: Int32, _: UnsafePointer<timespec>!) -> Int32 { stub() }
@discardableResult public func ftruncate(_: Int32, _: off_t) -> Int32 { stub() }
@discardableResult public func fstatvfs(_: Int32, _: UnsafeMutablePointer<statvfs>!) -> Int32 { stub() }
@discardableResult public func fdopendir(_: Int32) -> UnsafeMutablePointer<DIR>! { stub() }
@discardableResult public func readdir(_: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! { stub() }
@discardableResult public func closedir(_: UnsafeMutablePointer<DIR>!) -> Int32 { stub() }
@discardableResult public func getaddrinfo(
    _: UnsafePointer<CChar>!, _: UnsafePointer<CChar>!, _: UnsafePointer<addrinfo>!,
    _: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>!
) -> Int32 { stub() }
public func freeaddrinfo(_: UnsafeMutablePointer<addrinfo>!) { stub() }
@discardableResult public func gai_strerror(_: Int32) -> UnsafePointer<CChar>! { stub() }
@discardableResult public func gethostname(_: UnsafeMutablePointer<CChar>!, _: Int) -> Int32 { stub() }
@discardableResult public func getenv(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { stub() }
@discardableResult public func getpeereid(
    _: Int32, _: UnsafeMutablePointer<uid_t>!, _: UnsafeMutablePointer<gid_t>!
) -> Int32 { stub() }
@discardableResult public func sigemptyset(_: UnsafeMutablePointer<sigset_t>!) -> Int32 { stub() }
@discardableResult public func sigaddset(_: UnsafeMutablePointer<sigset_t>!, _: Int32) -> Int32 { stub() }
@discardableResult public func pthread_sigmask(
    _: Int32, _: UnsafePointer<sigset_t>!, _: UnsafeMutablePointer<sigset_t>!
) -> Int32 { stub() }
@discardableResult public func pthread_set_qos_class_self_np(_: qos_class_t, _: Int32) -> Int32 { stub() }
@discardableResult public func usleep(_: useconds_t) -> Int32 { stub() }
@discardableResult public func time(_: UnsafeMutablePointer<time_t>!) -> time_t { stub() }
@discardableResult public func flock(_: Int32, _: Int32) -> Int32 { stub() }
@discardableResult public func fchdir(_: Int32) -> Int32 { stub() }
public func exit(_: Int32) -> Never { stub() }
@discardableResult public func pthread_create(
    _: UnsafeMutablePointer<pthread_t?>!, _: UnsafePointer<pthread_attr_t>?,
    _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { stub() }
@discardableResult public func pthread_join(
    _: pthread_t, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { stub() }
@discardableResult public func pthread_detach(_: pthread_t) -> Int32 { stub() }
public func pthread_self() -> pthread_t! { stub() }
public func pthread_equal(_: pthread_t!, _: pthread_t!) -> Int32 { stub() }
@discardableResult public func pthread_attr_init(_: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { stub() }
@discardableResult public func pthread_attr_destroy(_: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { stub() }
@discardableResult public func pthread_attr_setstacksize(
    _: UnsafeMutablePointer<pthread_attr_t>, _: Int
) -> Int32 { stub() }
@discardableResult public func pthread_mutex_init(
    _: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { stub() }
@discardableResult public func pthread_mutex_destroy(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { stub() }
@discardableResult public func pthread_mutex_lock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { stub() }
@discardableResult public func pthread_mutex_unlock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { stub() }
@discardableResult public func pthread_cond_init(
    _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafePointer<pthread_condattr_t>?
) -> Int32 { stub() }
@discardableResult public func pthread_cond_destroy(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32 { stub() }
@discardableResult public func pthread_cond_signal(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32 { stub() }
@discardableResult public func pthread_cond_broadcast(_: UnsafeMutablePointer<pthread_cond_t>) -> Int32 { stub() }
@discardableResult public func pthread_cond_wait(
    _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32 { stub() }
@discardableResult public func pthread_cond_timedwait_relative_np(
    _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<timespec>?
) -> Int32 { stub() }
public var POLLIN: Int32 { 1 }
public var POLLOUT: Int32 { 4 }
public var POLLERR: Int32 { 8 }
public var POLLHUP: Int32 { 16 }
public var POLLNVAL: Int32 { 32 }
public var PTHREAD_CREATE_DETACHED: Int32 { 2 }
@discardableResult public func pthread_attr_setdetachstate(
    _: UnsafeMutablePointer<pthread_attr_t>, _: Int32
) -> Int32 { stub() }
@discardableResult public func mkdirat(_: Int32, _: UnsafePointer<CChar>!, _: mode_t) -> Int32 { stub() }
public struct tm {
    public var tm_hour: Int32 = 0
    public var tm_min: Int32 = 0
    public init() {}
}
public func tzset() { stub() }
public func localtime_r(
    _: UnsafePointer<time_t>!, _: UnsafeMutablePointer<tm>!
) -> UnsafeMutablePointer<tm>! { stub() }
