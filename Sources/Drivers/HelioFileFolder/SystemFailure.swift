internal import HelioTransferWire

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The failure of a system call on a file or folder.
struct SystemFailure: Error, Equatable {
    /// The value of `errno`.
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// The reason, as reported to the peer.
    var refusal: FileRefusal {
        switch number {
        case ENOSPC, EDQUOT: .noSpace
        // The file exceeds a limit of the file system or of this user.
        case EFBIG: .tooLarge
        case ENAMETOOLONG, EINVAL, EILSEQ, ELOOP, ENOTDIR: .badName
        default: .diskFailed
        }
    }
}
