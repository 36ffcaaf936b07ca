import HelioCore
import HelioSTUN

/// The pair selected before an ICE restart: it carries data, and its consent is renewed, until the restart has selected
/// a new pair (RFC 8445 section 9).
struct FormerPath {
    let session: ICESession
    let pair: CandidatePair
    var consent: Consent
}
