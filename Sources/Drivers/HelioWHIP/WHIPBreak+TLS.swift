import HelioTLS
import HelioWHIPLink

extension WHIPBreak {
    /// What it means that TLS did not come about.
    init(_ refusal: ServerTrust.Refusal) {
        switch refusal {
        case .untrusted: self = .untrusted
        case .wrongCertificate: self = .wrongCertificate
        case .noTLS: self = .noTLS
        // The next try may know nothing of it.
        case .endedEarly: self = .lost
        }
    }
}
