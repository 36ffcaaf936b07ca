/// Why the other end will never let us in as things are: trying again is of no use.
package enum SRTRefusal: Sendable, Hashable {
    /// The passphrases differ.
    case badPassphrase
    /// One end has a passphrase, the other has none.
    case passphraseMismatch
    /// The stream's identifier, or who it says one is, has no right to this.
    case unauthorized
    /// There is no such stream or place.
    case notFound
    /// The other end can't do what is asked for: its version, or a setting that has to be equal.
    case incompatible
    /// Another reason, by its number.
    case other(Int)

    /// What was wrong, for a person.
    package var message: String {
        switch self {
        case .badPassphrase: "The SRT server refuses the passphrase: it is not the one that was set there."
        case .passphraseMismatch:
            "Either the SRT server wants a passphrase and none was given, or one was given and it has none."
        case .unauthorized: "The SRT server refuses the stream's identifier."
        case .notFound: "The SRT server knows no such stream."
        case .incompatible: "The SRT server's version or settings do not fit."
        case .other(let code): "The SRT server refuses the connection (reason \(code))."
        }
    }

    /// What a reason of rejection means that libsrt tells: below 1000 those of its handshake (`SRT_REJECT_REASON`), from
    /// 1000 on the server's (`access_control.h`, after HTTP's status codes), from 2000 on its own. `nil` where trying
    /// again may help: nobody answered, the server has no room now, or the last connection is still there.
    package init?(rejection code: Int) {
        switch code {
        case 10: self = .badPassphrase
        case 11: self = .passphraseMismatch
        case 8, 12, 13, 14, 15, 1001, 1405, 1406, 1415, 1501, 1505: self = .incompatible
        case 1401, 1403: self = .unauthorized
        case 1002, 1003, 1404: self = .notFound
        case 1402, 1409, 1423, 1424, 1500..<1600: return nil
        case 2, 1000...: self = .other(code)
        default: return nil
        }
    }
}
