private import Foundation
private import HelioCore
private import NIOCore
private import NIOPosix

/// Translates errors of connections, sockets and files to human-readable reasons: the descriptions in SwiftNIO's and
/// the system's errors contain names of types and calls.
package enum NetworkFailure {
    /// Returns the reason in a form that can follow a colon: in lower case, without a full stop.
    package static func words(_ error: any Error) -> String {
        if isUnknownName(error) { return "there is no machine of that name" }
        if let code = systemCode(error) { return words(code) }
        if case .connectTimeout? = error as? ChannelError { return "it does not answer" }
        if let error = error as? HelioError { return plain(error.message) }
        if let text = (error as? any LocalizedError)?.errorDescription { return plain(text) }
        return error is CocoaError ? plain(error.localizedDescription) : "\(error)"
    }

    /// True if the error means that a host name does not resolve.
    package static func isUnknownName(_ error: any Error) -> Bool {
        if let error = error as? NIOConnectionError {
            let lookups = [error.dnsAError, error.dnsAAAAError].compactMap(\.self)
            return error.connectionErrors.isEmpty && !lookups.isEmpty && lookups.allSatisfy { isUnknownName($0) }
        }
        if error is SocketAddressError.UnknownHost { return true }
        return false
    }

    /// The error's `errno` value; `nil` if it has none.
    package static func systemCode(_ error: any Error) -> CInt? {
        switch error {
        case let error as IOError: return error.errnoCode
        case let error as NIOConnectionError:
            return error.connectionErrors.lazy.compactMap { systemCode($0.error) }.first
        case let error as CocoaError:
            return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap { systemCode($0) }
        case let error as POSIXError: return error.code.rawValue
        default: return nil
        }
    }

    /// True if the error means that this machine has no network that leads to the address, so that nobody was asked.
    package static func isWithoutNetwork(_ error: any Error) -> Bool {
        if let error = error as? NIOConnectionError {
            return !error.connectionErrors.isEmpty
                && error.connectionErrors.allSatisfy { isWithoutNetwork($0.error) }
        }
        return systemCode(error).map { [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL].contains($0) } ?? false
    }

    /// True if the error means that another socket uses the port.
    package static func isTaken(_ error: any Error) -> Bool { systemCode(error) == EADDRINUSE }

    private static func words(_ code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "nothing listens there"
        case ETIMEDOUT: "it does not answer"
        case EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ENETDOWN: "no way leads there from this machine's network"
        case ECONNRESET, EPIPE: "it has cut the connection"
        case EADDRINUSE: "another program has it"
        case EADDRNOTAVAIL: "this machine does not have that address"
        case EACCES, EPERM: "this user may not"
        case ENOENT: "there is no such file or folder"
        case ENOSPC: "the disk is full"
        case EROFS: "that disk can't be written to"
        default: lowered(String(cString: strerror(code)))
        }
    }

    /// Lowers a description's first letter and removes its full stop, so that it fits within a sentence.
    private static func plain(_ text: String) -> String {
        lowered(text.hasSuffix(".") ? String(text.dropLast()) : text)
    }

    private static func lowered(_ text: String) -> String {
        guard let first = text.first, text.dropFirst().first?.isLowercase == true else { return text }
        return first.lowercased() + text.dropFirst()
    }
}
