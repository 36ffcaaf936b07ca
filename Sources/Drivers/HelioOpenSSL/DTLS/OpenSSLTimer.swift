import COpenSSL
import HelioCore
import HelioProtection

/// The method by which an association makes OpenSSL retransmit a flight.
enum OpenSSLTimer {
    /// OpenSSL's timer never expires by itself, and is forced to expire on the engine's clock.
    case forced
    /// OpenSSL's timer can't be forced to expire; it runs on the system's clock, and the deadline follows it.
    case followed

    /// The method for the loaded OpenSSL: before 3.2, OpenSSL passes a pointer to its own timer to the BIO; from 3.2
    /// on, a pointer to a copy.
    static var ofThisLibrary: OpenSSLTimer { OpenSSL_version_num() < 0x3020_0000 ? .forced : .followed }

    /// Returns the next interval in microseconds. `last` is the previous interval, or 0 when a flight begins.
    func interval(after last: UInt32, _ schedule: DTLSRetransmission.Schedule) -> UInt32 {
        switch self {
        // The interval is an hour, longer than any handshake.
        case .forced: return 3_600_000_000
        case .followed:
            let next = last == 0 ? schedule.first : min(.microseconds(Int64(last) * 2), schedule.longest)
            return UInt32(clamping: next.nanoseconds / 1000)
        }
    }
}
