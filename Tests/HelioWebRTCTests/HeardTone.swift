import ForeignPeers

/// A tone between two rests, as an end heard it.
struct HeardTone: Sendable {
    /// Hertz, and decibels below a sine of full scale, of each ear.
    var ears: [(frequency: Double, level: Double)]
    /// In milliseconds: how long it was, the holes in it, and how much later it came out than it went in.
    var length: Double
    var gaps: Double
    var delay: Double

    /// It is the test tone: whole, at its pitch to a cent, at its level to half a decibel, and not late.
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
