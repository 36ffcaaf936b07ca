internal import HelioTransferWire

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The system did not do what it was asked for.
struct SystemFailure: Error, Equatable {
    /// Its number for the reason.
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// The reason as the other end is told it.
    var refusal: FileRefusal {
        switch number {
        case ENOSPC, EDQUOT: .noSpace
        // The most bytes of one file: of the file system's, or of this user's.
        case EFBIG: .tooLarge
        case ENAMETOOLONG, EINVAL, EILSEQ, ELOOP, ENOTDIR: .badName
        default: .diskFailed
        }
    }
}
