/// Why there is no relayed address, or no longer. Final: whoever wants another tries with a new client.
package enum TURNFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No answer to any request.
    case timedOut
    /// The connection could not be opened, or has ended.
    case disconnected
    /// By TLS: nobody whom this machine trusts vouches for the certificate, or it is for another name.
    case untrusted
    /// What comes over TCP is not TURN.
    case notTURN
    /// The server knows the user not, or by another password.
    case wrongCredentials
    /// The server wants a way of proving the password that is not known here, or that somebody has tampered with.
    case unsupportedAuthentication
    /// All answers came from somebody who does not know the password.
    case forged
    /// An answer without what it must tell.
    case badAnswer
    /// Another server was named too often, or one that cannot be.
    case badRedirection
    /// 403: this user may have no relayed address.
    case forbidden
    /// 437 to a first request: from the same port an allocation lives that is not ours. Another port helps.
    case portInUse
    /// 437, or nothing left: the server has ended the allocation.
    case allocationLost
    /// The allocation has ended because the server could not be reached for too long.
    case expired
    /// 440: no relayed addresses of this family.
    case familyNotSupported
    /// 486: the user has as many allocations as he may.
    case quotaReached
    /// 508: the server has no address or bandwidth left.
    case noCapacity
    /// Any other error, by its code.
    case refused(UInt16)
    /// The cryptographic library did not do its work.
    case cryptoFailed

    package var description: String {
        switch self {
        case .timedOut: "the TURN server does not answer"
        case .disconnected: "the connection to the TURN server could not be opened, or has ended"
        case .untrusted:
            "nobody whom this machine trusts vouches for the TURN server's certificate, or it is made out to another name"
        case .notTURN: "what answers there is not a TURN server"
        case .wrongCredentials: "the TURN server does not accept user name and password"
        case .unsupportedAuthentication: "the TURN server asks for a kind of authentication that is not supported"
        case .forged: "the TURN server's answers are not authentic"
        case .badAnswer: "the TURN server's answer is incomplete"
        case .badRedirection: "the TURN server redirects to where nobody can follow"
        case .forbidden: "the TURN server does not relay for this user"
        case .portInUse: "the TURN server has another allocation for this port"
        case .allocationLost: "the TURN server has ended the allocation"
        case .expired: "the TURN server could not be reached until the allocation ended"
        case .familyNotSupported: "the TURN server has no relayed addresses of this IP version"
        case .quotaReached: "the TURN server gives this user no more allocations"
        case .noCapacity: "the TURN server has no capacity left"
        case .refused(let code): "the TURN server refuses with error \(code)"
        case .cryptoFailed: "a cryptographic operation failed"
        }
    }

    /// What an error to an Allocate request means.
    init(allocateError code: UInt16) {
        self =
            switch code {
            case 401, 441: .wrongCredentials
            case 403: .forbidden
            case 437: .portInUse
            case 440: .familyNotSupported
            case 486: .quotaReached
            case 508: .noCapacity
            default: .refused(code)
            }
    }

    /// What an error to a Refresh request means.
    init(refreshError code: UInt16) {
        self =
            switch code {
            case 401, 441: .wrongCredentials
            case 437: .allocationLost
            default: .refused(code)
            }
    }
}
