package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A non-blocking Unix-domain stream socket. It is closed when the last reference is released.
///
/// The socket has the options of requirement row 135: buffers of 2 MiB and time-outs of 10 s. Each option is passed
/// with its own size, unlike in the specification, which passes a `timeval` with the size of an `int` (defect 16 in
/// docs/requirements.md). The time-outs only apply if a caller makes the socket blocking; callers of `poll` use their
/// own time-outs.
package final class LocalSocket: Sendable {
    package enum Transfer: Sendable, Hashable {
        /// The number of bytes transferred, at least one.
        case done(Int)
        /// No bytes can be transferred now; `poll` reports when they can.
        case wouldBlock
        /// The other end has closed the connection, or the socket has failed.
        case closed
    }

    /// The size in bytes of the send buffer, and of the receive buffer (requirement row 135).
    package static let bufferSize = 2 * 1024 * 1024
    /// The time-outs of sending and receiving, in seconds (requirement row 135).
    package static let timeoutSeconds = 10
    /// The listen backlog, the maximum number of connections that wait to be accepted (requirement row 135).
    package static let backlog: Int32 = 128

    package let descriptor: Int32

    private init(taking descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects to the socket at a path. Throws `unreachable` if no process listens, and `invalidArgument` if the path
    /// is too long.
    package static func connect(to path: String) throws(HelioError) -> LocalSocket {
        let socket = try make()
        // `connect` succeeds or fails at once for a Unix-domain socket.
        guard try withAddress(path, { connectSocket(socket.descriptor, $0, $1) }) == 0 else {
            throw HelioError(.unreachable, "Nobody listens at \(path) (\(reason())).")
        }
        return socket
    }

    /// Listens at a path in a folder that only this user can access. A socket left there by a process that has ended is
    /// removed.
    ///
    /// Throws `systemFailed` if the folder is open to others or another process listens.
    package static func listen(at path: String) throws(HelioError) -> LocalSocket {
        try PrivateFolder.prepare(for: path)
        if (try? connect(to: path)) != nil {
            throw HelioError(.systemFailed, "Another process listens at \(path).")
        }
        unlink(path)
        let socket = try make()
        guard try withAddress(path, { bind(socket.descriptor, $0, $1) }) == 0, chmod(path, 0o600) == 0,
            listenSocket(socket.descriptor) == 0
        else { throw HelioError(.systemFailed, "Listening at \(path) failed (\(reason())).") }
        return socket
    }

    /// Accepts the next pending connection; `nil` if there is none, or it can't be accepted.
    package func accept() -> LocalSocket? {
        let accepted = acceptSocket(descriptor)
        guard accepted >= 0 else { return nil }
        let socket = LocalSocket(taking: accepted)
        return socket.prepare() ? socket : nil
    }

    /// The user ID of the process at the other end; `nil` if the system does not report it.
    package var peerUser: UInt32? { Self.peerUser(of: descriptor) }

    /// The user ID of the process at the other end of a local socket's connection; `nil` if the system does not report
    /// it.
    package static func peerUser(of descriptor: Int32) -> UInt32? {
        #if canImport(Glibc)
        // `struct ucred`: process, user and group, of 32 bits each.
        var credentials: (Int32, UInt32, UInt32) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        let expected = size
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, size == expected else {
            return nil
        }
        return credentials.1
        #else
        var user: uid_t = 0
        var group: gid_t = 0
        return getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #endif
    }

    /// Sends the bytes from `offset` on, as many as the kernel accepts without blocking.
    package func send(_ bytes: [UInt8], from offset: Int) -> Transfer {
        bytes.withUnsafeBytes { buffer in
            let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
            return transfer { sendBytes(descriptor, rest) }
        }
    }

    /// Receives the bytes that have arrived, without waiting.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        transfer { recv(descriptor, buffer.baseAddress, buffer.count, dontWait) }
    }

    /// The socket's values of `SO_SNDBUF` and `SO_RCVBUF` in bytes; for tests.
    package var bufferSizes: (send: Int, receive: Int) {
        func value(_ option: Int32) -> Int {
            var result: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, option, &result, &size) == 0 ? Int(result) : 0
        }
        return (value(SO_SNDBUF), value(SO_RCVBUF))
    }

    /// The socket's values of `SO_SNDTIMEO` and `SO_RCVTIMEO` in seconds; for tests.
    package var timeouts: (send: Int, receive: Int) {
        func value(_ option: Int32) -> Int {
            var result = timeval()
            var size = socklen_t(MemoryLayout<timeval>.size)
            return getsockopt(descriptor, SOL_SOCKET, option, &result, &size) == 0 ? result.tv_sec : 0
        }
        return (value(SO_SNDTIMEO), value(SO_RCVTIMEO))
    }

    // MARK: System calls

    private static func make() throws(HelioError) -> LocalSocket {
        let descriptor = makeSocket()
        guard descriptor >= 0 else { throw HelioError(.systemFailed, "No socket is left (\(reason())).") }
        let socket = LocalSocket(taking: descriptor)
        guard socket.prepare() else { throw HelioError(.systemFailed, "A socket can't be set up (\(reason())).") }
        return socket
    }

    private func prepare() -> Bool {
        var size = Int32(Self.bufferSize)
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        let count = socklen_t(MemoryLayout<Int32>.size)
        // A smaller buffer than requested is not a failure, as the system has its own maximum.
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, count)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, count)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            guard setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size)) == 0
            else { return false }
        }
        #if canImport(Darwin)
        var on: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, count)
        #endif
        return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
            && fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
    }

    private static func withAddress<R>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) throws(HelioError) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else {
            throw HelioError(.invalidArgument, "A socket's path has 1 to \(room - 1) bytes: \(path)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func transfer(_ call: () -> Int) -> Transfer {
        while true {
            let count = call()
            if count > 0 { return .done(count) }
            if count == 0 { return .closed }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK, ENOBUFS: return .wouldBlock
            default: return .closed
            }
        }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

// Wrappers of system functions whose names are hidden by the class's methods.

private func connectSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}

private func listenSocket(_ descriptor: Int32) -> Int32 { listen(descriptor, LocalSocket.backlog) }

private func acceptSocket(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

#if canImport(Glibc)
private let dontWait = Int32(MSG_DONTWAIT)
#else
private let dontWait = MSG_DONTWAIT
#endif

private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
    send(descriptor, bytes.baseAddress, bytes.count, dontWait | Int32(MSG_NOSIGNAL))
    #else
    send(descriptor, bytes.baseAddress, bytes.count, dontWait)
    #endif
}

private func makeSocket() -> Int32 {
    #if canImport(Glibc)
    socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
    socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
}
