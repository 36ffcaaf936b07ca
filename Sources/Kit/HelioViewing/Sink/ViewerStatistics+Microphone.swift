internal import HelioMedia

extension ViewerStatistics {
    /// The statistics of the user's microphone.
    public struct Microphone: Sendable, Codable {
        /// The name of the captured device; `nil` while no device is captured.
        public var device: String?
        /// False if the user has turned the microphone off.
        public var isOn = true
        /// True while the microphone is muted, because this machine plays sound.
        public var isHeld = false
        /// The number of packets sent.
        public var packets = 0
        /// The recent fraction of packets lost, 0 to 1, as reported by the host.
        public var loss = 0.0

        enum CodingKeys: String, CodingKey {
            case device, packets, loss
            case isOn = "on"
            case isHeld = "held"
        }

        init(_ status: HelioViewing.Microphone.Status, _ sent: SentSound?) {
            device = status.device
            isOn = status.isOn
            isHeld = status.isHeld
            packets = sent?.packets ?? 0
            loss = sent?.loss ?? 0
        }

        /// The microphone's state as one line of text for the statistics overlay.
        var line: String {
            guard isOn else { return "microphone off" }
            guard let device else { return "microphone: the host does not hear it" }
            return "microphone \(isHeld ? "waits while sound plays" : "is heard") (\(device))"
        }
    }
}
