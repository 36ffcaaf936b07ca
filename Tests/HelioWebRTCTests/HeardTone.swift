import ForeignPeers

/// A tone between two pauses, as measured by a receiver.
struct HeardTone: Sendable {
    /// The frequency in hertz and the level in decibels below a sine of full scale, of each channel.
    var ears: [(frequency: Double, level: Double)]
    /// Milliseconds: the tone's length, the total of its gaps, and its delay from input to output.
    var length: Double
    var gaps: Double
    var delay: Double

    /// True if it is the test tone: complete, within a cent of its pitch and half a decibel of its level, and not late.
    var isRight: Bool {
        ears.count == 2
            && zip(ears, TestTone.frequencies).allSatisfy { ear, frequency in
                abs(ear.frequency / frequency - 1) < 0.0006 && abs(ear.level + 12) < 0.5
            } && abs(length - 900) < 10 && gaps == 0 && (0..<500).contains(delay)
    }
}

extension HeardTone {
    init?(_ line: PeerLine) {
        guard let tones = line.tones, let length = line.length, let gaps = line.gaps, let delay = line.delay else {
            return nil
        }
        self.init(ears: tones.map { ($0.frequency, $0.level) }, length: length, gaps: gaps, delay: delay)
    }
}
