import HelioFuzzing

/// One entry of the table of fuzz functions: `script/fuzz` and the seeded test call it by name.
///
/// `name` is also the folder of its seeds, `Fuzz/Corpus/<name>`. New functions are added only to this table.
struct FuzzFunction: Sendable, CustomStringConvertible {
    let name: String
    /// The type with the function, in `Testing/HelioFuzzing/<type>.swift`.
    let type: Any.Type
    /// Processes any bytes; traps if an invariant is violated.
    let run: @Sendable ([UInt8]) -> Void

    var description: String { name }

    static let all = [
        FuzzFunction(name: "amf0", type: AMF0Fuzz.self, run: AMF0Fuzz.run),
        FuzzFunction(name: "android-phone", type: AndroidPhoneFuzz.self, run: AndroidPhoneFuzz.run),
        FuzzFunction(name: "bitstream", type: BitstreamFuzz.self, run: BitstreamFuzz.run),
        FuzzFunction(name: "broadcast", type: BroadcastFuzz.self, run: BroadcastFuzz.run),
        FuzzFunction(name: "clipboard", type: ClipboardFuzz.self, run: ClipboardFuzz.run),
        FuzzFunction(name: "control", type: ControlWireFuzz.self, run: ControlWireFuzz.run),
        FuzzFunction(name: "dbus", type: DBusFuzz.self, run: DBusFuzz.run),
        FuzzFunction(name: "dns-sd", type: TextRecordFuzz.self, run: TextRecordFuzz.run),
        FuzzFunction(name: "dtls-record", type: DTLSRecordFuzz.self, run: DTLSRecordFuzz.run),
        FuzzFunction(name: "files", type: FileFuzz.self, run: FileFuzz.run),
        FuzzFunction(name: "h264-depacketizer", type: H264DepacketizerFuzz.self, run: H264DepacketizerFuzz.run),
        FuzzFunction(name: "h265-depacketizer", type: H265DepacketizerFuzz.self, run: H265DepacketizerFuzz.run),
        FuzzFunction(name: "heartbeat", type: HeartbeatFuzz.self, run: HeartbeatFuzz.run),
        FuzzFunction(name: "ice", type: ICEFuzz.self, run: ICEFuzz.run),
        FuzzFunction(name: "jsep", type: JSEPFuzz.self, run: JSEPFuzz.run),
        FuzzFunction(name: "json", type: JSONFuzz.self, run: JSONFuzz.run),
        FuzzFunction(name: "link-frames", type: LinkFrameFuzz.self, run: LinkFrameFuzz.run),
        FuzzFunction(name: "link-peer", type: LinkPeerFuzz.self, run: LinkPeerFuzz.run),
        FuzzFunction(name: "media-transport", type: MediaTransportFuzz.self, run: MediaTransportFuzz.run),
        FuzzFunction(name: "mdns", type: MDNSFuzz.self, run: MDNSFuzz.run),
        FuzzFunction(name: "packet-stream", type: PacketStreamFuzz.self, run: PacketStreamFuzz.run),
        FuzzFunction(name: "pairing", type: PairingFuzz.self, run: PairingFuzz.run),
        FuzzFunction(name: "patch", type: PatchFuzz.self, run: PatchFuzz.run),
        FuzzFunction(name: "peer-connection", type: PeerConnectionFuzz.self, run: PeerConnectionFuzz.run),
        FuzzFunction(name: "phone-wire", type: PhoneWireFuzz.self, run: PhoneWireFuzz.run),
        FuzzFunction(name: "player", type: RTSPPlayServerFuzz.self, run: RTSPPlayServerFuzz.run),
        FuzzFunction(name: "publishing", type: RTSPRecordClientFuzz.self, run: RTSPRecordClientFuzz.run),
        FuzzFunction(name: "recording", type: RTSPRecordServerFuzz.self, run: RTSPRecordServerFuzz.run),
        FuzzFunction(name: "relay-app", type: AppRelayFuzz.self, run: AppRelayFuzz.run),
        FuzzFunction(name: "relay-extension", type: ExtensionRelayFuzz.self, run: ExtensionRelayFuzz.run),
        FuzzFunction(name: "relay-wire", type: RelayWireFuzz.self, run: RelayWireFuzz.run),
        FuzzFunction(name: "remote-wire", type: RemoteWireFuzz.self, run: RemoteWireFuzz.run),
        FuzzFunction(name: "rendezvous-client", type: RendezvousClientFuzz.self, run: RendezvousClientFuzz.run),
        FuzzFunction(name: "rendezvous-envelope", type: RendezvousEnvelopeFuzz.self, run: RendezvousEnvelopeFuzz.run),
        FuzzFunction(name: "rendezvous-server", type: RendezvousServerFuzz.self, run: RendezvousServerFuzz.run),
        FuzzFunction(name: "rendezvous-wire", type: RendezvousWireFuzz.self, run: RendezvousWireFuzz.run),
        FuzzFunction(name: "rtcp", type: RTCPFuzz.self, run: RTCPFuzz.run),
        FuzzFunction(name: "rtmp-chunks", type: RTMPChunkFuzz.self, run: RTMPChunkFuzz.run),
        FuzzFunction(name: "rtmp-publisher", type: RTMPPublisherFuzz.self, run: RTMPPublisherFuzz.run),
        FuzzFunction(name: "rtmp-receiver", type: RTMPReceiverFuzz.self, run: RTMPReceiverFuzz.run),
        FuzzFunction(name: "rtp", type: RTPFuzz.self, run: RTPFuzz.run),
        FuzzFunction(name: "rtsp", type: RTSPFuzz.self, run: RTSPFuzz.run),
        FuzzFunction(name: "rtsp-client", type: RTSPPlayClientFuzz.self, run: RTSPPlayClientFuzz.run),
        FuzzFunction(name: "sctp", type: SCTPFuzz.self, run: SCTPFuzz.run),
        FuzzFunction(name: "sdp", type: SDPFuzz.self, run: SDPFuzz.run),
        FuzzFunction(name: "sealed-channel", type: SealedChannelFuzz.self, run: SealedChannelFuzz.run),
        FuzzFunction(name: "session", type: SessionFuzz.self, run: SessionFuzz.run),
        FuzzFunction(name: "sound-payload", type: SoundPayloadFuzz.self, run: SoundPayloadFuzz.run),
        FuzzFunction(name: "srt-link", type: SRTLinkFuzz.self, run: SRTLinkFuzz.run),
        FuzzFunction(name: "srtp", type: SRTPFuzz.self, run: SRTPFuzz.run),
        FuzzFunction(name: "stun", type: STUNFuzz.self, run: STUNFuzz.run),
        FuzzFunction(name: "suites", type: SuiteFuzz.self, run: SuiteFuzz.run),
        FuzzFunction(name: "toml", type: TOMLFuzz.self, run: TOMLFuzz.run),
        FuzzFunction(name: "transfer-wire", type: TransferWireFuzz.self, run: TransferWireFuzz.run),
        FuzzFunction(name: "transport-stream", type: TransportStreamFuzz.self, run: TransportStreamFuzz.run),
        FuzzFunction(name: "turn", type: TURNFuzz.self, run: TURNFuzz.run),
        FuzzFunction(name: "wayland", type: WaylandFuzz.self, run: WaylandFuzz.run),
        FuzzFunction(name: "web-control", type: WebControlFuzz.self, run: WebControlFuzz.run),
        FuzzFunction(name: "web-session", type: WebSessionFuzz.self, run: WebSessionFuzz.run),
        FuzzFunction(name: "whip-link", type: WHIPLinkFuzz.self, run: WHIPLinkFuzz.run),
    ]
}
