import HelioCore
import HelioSTUN

/// The pair that was in use before a restart: it carries data, and keeps the peer's consent, until the restart has
/// found another (RFC 8445 section 9).
struct FormerPath {
    let session: ICESession
    let pair: CandidatePair
    var consent: Consent
}
