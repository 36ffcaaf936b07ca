private import Heliograph

/// Names of this machine's monitors and encoders, for shells that complete a word.
enum ShareCompletion {
    @Sendable static func monitors(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        MirrorSource.monitorNames()
    }

    @Sendable static func encoders(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        ["auto", "software"] + MirrorSource.encoderNames()
    }
}
