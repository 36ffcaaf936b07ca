/// The reason why the allocation failed or has ended. The client can't be used again.
package enum TURNFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server did not answer the Allocate request.
    case timedOut
    /// The connection could not be opened, or has ended.
    case disconnected
    /// The server's TLS certificate is not trusted by the system, or is for another name.
    case untrusted
    /// The bytes received over TCP are not TURN.
    case notTURN
    /// The server does not know the user, or knows another password.
    case wrongCredentials
    /// The server requires an unsupported authentication algorithm, or its challenge was modified.
    case unsupportedAuthentication
    /// All answers lacked a valid MESSAGE-INTEGRITY.
    case forged
    /// An answer lacked a required attribute or had an unusable value.
    case badAnswer
    /// The server redirected too often, or to an unusable address.
    case badRedirection
    /// Error 403: the user is not allowed to allocate addresses.
    case forbidden
    /// Error 437 to Allocate: the client's address and port already have an allocation. Try again from another port.
    case portInUse
    /// Error 437 to a later request, or a lifetime of 0: the server has ended the allocation.
    case allocationLost
    /// The allocation has expired, as the server has not answered the refreshes.
    case expired
    /// Error 440: the server has no relayed addresses of this family.
    case familyNotSupported
    /// Error 486: the user has too many allocations.
    case quotaReached
    /// Error 508: the server has no capacity left.
    case noCapacity
    /// Another error with this code.
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

    /// Makes the failure for an error response to Allocate.
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

    /// Makes the failure for an error response to Refresh.
    init(refreshError code: UInt16) {
        self =
            switch code {
            case 401, 441: .wrongCredentials
            case 437: .allocationLost
            default: .refused(code)
            }
    }
}
