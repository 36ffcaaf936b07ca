import HelioCore
import HelioSDP

/// The checks of a browser's offer before a peer connection is made for it.
enum WebOffer {
    enum Verdict: Sendable {
        case good
        case malformed
        case withoutH264
        /// A certificate other than the one that the viewer's proof covered, or an additional one.
        case otherCertificate
    }

    /// Checks an offer for H.264 and for the viewer's certificate.
    ///
    /// - Parameter fingerprint: the SHA-256 of the viewer's certificate, from its `hello`.
    static func judge(_ sdp: String, fingerprint: [UInt8]) -> Verdict {
        guard let offer = try? SessionDescription(parsing: Array(sdp.utf8)) else { return .malformed }
        let lists = [offer.attributes] + offer.media.map(\.attributes)
        let prints = lists.flatMap { $0.all.filter { $0.name == CertificateFingerprint.attributeName } }
        // Every fingerprint is checked, so DTLS can only use the certificate that the viewer's proof covered.
        let areAllRight = prints.allSatisfy {
            let print = CertificateFingerprint(attributeValue: $0.value)
            return print?.hash == "sha-256" && print?.bytes == fingerprint
        }
        guard areAllRight, !prints.isEmpty else { return .otherCertificate }
        let hasH264 = offer.media.contains { section in
            section.kind == .video
                && section.attributes.values(of: RTPMap.self).contains { $0.encoding.uppercased() == "H264" }
        }
        return hasH264 ? .good : .withoutH264
    }
}
