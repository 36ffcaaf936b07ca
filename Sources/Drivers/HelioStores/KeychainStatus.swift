/// The status of a Keychain call, reduced to the cases that are handled differently.
package enum KeychainStatus: Sendable, Hashable {
    case done
    case notFound
    /// The item exists already: another program, or an earlier run of this one, has added it.
    case duplicate
    /// The device is locked, and has not been unlocked since it started.
    case locked
    /// The app's signature lacks the entitlement.
    case notEntitled
    case other(Int32)

    /// - Parameter code: an `OSStatus` of SecBase.h.
    package init(_ code: Int32) {
        self =
            switch code {
            case 0: .done
            case -25300: .notFound
            case -25299: .duplicate
            case -25308: .locked
            case -34018: .notEntitled
            default: .other(code)
            }
    }

    /// The human-readable problem and remedy, as the continuation of a sentence about the item.
    var explanation: String {
        switch self {
        case .locked: "can't be read while the device is locked: unlock it once"
        case .notEntitled: "is not for this app: its signature lacks the entitlement for the Keychain"
        case .duplicate: "is being changed by another program all the time"
        case .done, .notFound: "has no contents"
        case .other(let code): "can't be used (\(code))"
        }
    }
}
