import COpenSSL
import HelioCore
import HelioProtection

/// The way in which an association makes OpenSSL retransmit a flight.
enum OpenSSLTimer {
    /// OpenSSL's timer never expires by itself, and is forced to expire on the engine's clock.
    case forced
    /// OpenSSL's timer can't be forced to expire; it runs on the system's clock, and the deadline follows it.
    case followed

    /// The way for this version: OpenSSL hands its timer itself to the BIO before 3.2, and a copy from then on.
    static var ofThisLibrary: OpenSSLTimer { OpenSSL_version_num() < 0x3020_0000 ? .forced : .followed }

    /// The next interval in microseconds; `last` is 0 if a flight begins.
    func interval(after last: UInt32, _ schedule: DTLSRetransmission.Schedule) -> UInt32 {
        switch self {
        // An hour: no handshake lasts as long.
        case .forced: return 3_600_000_000
        case .followed:
            let next = last == 0 ? schedule.first : min(.microseconds(Int64(last) * 2), schedule.longest)
            return UInt32(clamping: next.nanoseconds / 1000)
        }
    }
}
