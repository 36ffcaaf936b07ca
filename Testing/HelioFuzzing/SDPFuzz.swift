import HelioCore
import HelioSDP

/// Fuzzes the parser of session descriptions and their attributes. Parsed values must survive a round trip.
package enum SDPFuzz {
    package static func run(_ bytes: [UInt8]) {
        guard let first = try? SessionDescription(parsing: bytes) else { return }
        let written = first.serialised()
        _ = first.description
        for list in [first.attributes] + first.media.map(\.attributes) {
            roundTrip(list, RTPMap.self)
            roundTrip(list, FormatParameters.self)
            roundTrip(list, RTCPFeedback.self)
            roundTrip(list, ExtensionMap.self)
            roundTrip(list, ControlURL.self)
            roundTrip(list, SetupRole.self)
            roundTrip(list, CryptoAttribute.self)
            roundTrip(list, PacketTime.self)
            roundTrip(list, MaximumPacketTime.self)
            roundTripWebRTC(list)
        }
        for media in first.media { roundTripSound(media) }
        // The written text may exceed the limit, as line ends may grow from one byte to two.
        guard written.count <= SessionDescription.maximumSize else { return }
        guard let second = try? SessionDescription(parsing: written) else { fatalError("own output is refused") }
        precondition(first == second && second.serialised() == written, "description changed on its way")
    }

    private static func roundTripWebRTC(_ list: AttributeList) {
        roundTrip(list, MediaID.self)
        roundTrip(list, MediaGroup.self)
        roundTrip(list, MediaStreamID.self)
        roundTrip(list, SourceAttribute.self)
        roundTrip(list, SourceGroup.self)
        roundTrip(list, ICEUsernameFragment.self)
        roundTrip(list, ICEPassword.self)
        roundTrip(list, ICEOptions.self)
        roundTrip(list, ICELite.self)
        roundTrip(list, CandidateLine.self)
        roundTrip(list, EndOfCandidates.self)
        roundTrip(list, CertificateFingerprint.self)
        roundTrip(list, RTCPMux.self)
        roundTrip(list, RTCPReducedSize.self)
        roundTrip(list, BundleOnly.self)
        roundTrip(list, ExtensionMapAllowMixed.self)
        roundTrip(list, SCTPPort.self)
        roundTrip(list, MaximumMessageSize.self)
        for parameters in list.values(of: FormatParameters.self) {
            guard let h264 = H264FormatParameters(parameters) else { continue }
            let written = FormatParameters(parameters.payloadType, h264.parameters)
            precondition(H264FormatParameters(written) == h264, "parameters of H.264 changed on their way")
        }
    }

    private static func roundTripSound(_ media: MediaSection) {
        for sound in media.sounds {
            var written = MediaSection(
                .audio, port: 0, transport: "RTP/AVP", formats: [String(sound.payloadType.rawValue)])
            sound.write(into: &written.attributes)
            precondition(written.sounds == [sound], "a format of sound changed on its way")
        }
        for parameters in media.attributes.values(of: FormatParameters.self) {
            guard let redundancy = RedundancyParameters(parameters) else { continue }
            let written = FormatParameters(parameters.payloadType, redundancy.parameters)
            precondition(RedundancyParameters(written) == redundancy, "redundancy changed on its way")
        }
    }

    private static func roundTrip<Value: AttributeValue>(_ list: AttributeList, _ kind: Value.Type) {
        for value in list.values(of: kind) {
            precondition(Value(attributeValue: value.attributeValue) == value, "attribute changed on its way")
        }
    }
}
