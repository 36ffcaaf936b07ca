import COpenSSL
import HelioCore
import HelioProtection

/// How an association makes OpenSSL send a flight again.
enum OpenSSLTimer {
    /// OpenSSL's timer never expires by itself, and is made to expire on our time.
    case forced
    /// OpenSSL's timer is followed, on the system's time: where its expiry is out of reach.
    case followed

    /// OpenSSL hands its timer to the BIO itself before 3.2, and a copy from then on.
    static var ofThisLibrary: OpenSSLTimer { OpenSSL_version_num() < 0x3020_0000 ? .forced : .followed }

    /// Microseconds; 0 is `last` where a flight begins.
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
