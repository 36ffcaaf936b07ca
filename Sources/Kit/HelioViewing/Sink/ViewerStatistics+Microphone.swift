internal import HelioMedia

extension ViewerStatistics {
    /// The statistics of the person's microphone.
    public struct Microphone: Sendable, Codable {
        /// The device that the host hears; `nil` while it hears none.
        public var device: String?
        /// False where the person has turned it off.
        public var isOn = true
        /// True while it is left out, as something plays here.
        public var isHeld = false
        /// The packets that were sent.
        public var packets = 0
        /// The share of them that was lost lately, 0...1, as the host says.
        public var loss = 0.0

        enum CodingKeys: String, CodingKey {
            case device, packets, loss
            case isOn = "on"
            case isHeld = "held"
        }

        init(_ status: HelioViewing.Microphone.Status, _ sent: SinkStatistics.Voice?) {
            device = status.device
            isOn = status.isOn
            isHeld = status.isHeld
            packets = sent?.packets ?? 0
            loss = sent?.loss ?? 0
        }

        /// The line of the overlay.
        var line: String {
            guard isOn else { return "microphone off" }
            guard let device else { return "microphone: the host does not hear it" }
            return "microphone \(isHeld ? "waits while sound plays" : "is heard") (\(device))"
        }
    }
}
