/// The reason why no relayed address was allocated, or the allocation has ended. Final: another try needs a new client.
package enum TURNFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server answered no request.
    case timedOut
    /// The connection could not be opened, or has ended.
    case disconnected
    /// The server's TLS certificate is not trusted by this machine, or is for another name.
    case untrusted
    /// The bytes received over TCP are not TURN.
    case notTURN
    /// The server does not know the user, or knows another password.
    case wrongCredentials
    /// The server requires an unsupported kind of authentication, or its challenge was tampered with.
    case unsupportedAuthentication
    /// All answers came from a sender without the password.
    case forged
    /// An answer lacked a required attribute.
    case badAnswer
    /// The server redirected too often, or to an unusable address.
    case badRedirection
    /// 403: this user may have no relayed address.
    case forbidden
    /// 437 to the first request: our port already has an allocation that is not ours. Another port helps.
    case portInUse
    /// 437, or no lifetime left: the server has ended the allocation.
    case allocationLost
    /// The allocation has ended because the server could not be reached for too long.
    case expired
    /// 440: no relayed addresses of this family.
    case familyNotSupported
    /// 486: the user's quota of allocations is reached.
    case quotaReached
    /// 508: the server has no address or bandwidth left.
    case noCapacity
    /// Any other error, by its code.
    case refused(UInt16)
    /// The cryptography library failed.
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

    /// Makes the failure for the error of an Allocate request.
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

    /// Makes the failure for the error of a Refresh request.
    init(refreshError code: UInt16) {
        self =
            switch code {
            case 401, 441: .wrongCredentials
            case 437: .allocationLost
            default: .refused(code)
            }
    }
}
