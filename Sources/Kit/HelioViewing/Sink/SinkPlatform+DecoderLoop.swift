internal import HelioCore

extension SinkPlatform {
    /// A decoding thread's body that decodes with what this platform has.
    ///
    /// - Parameters:
    ///   - mayReorder: whether frames may be sent in another order than they are shown.
    ///   - choice: what decodes, until hardware fails.
    ///   - mostSamples: how large a picture may be, in luma samples.
    ///   - bell: called on the decoding thread when a picture or a note waits, or a size was refused.
    ///   - needKeyframe: called on the decoding thread when it can't go on without one.
    func makeDecoderLoop(
        mayReorder: Bool, choice: CodecChoice, mostSamples: Int, bell: @escaping @Sendable () -> Void,
        needKeyframe: @escaping @Sendable () -> Void
    ) -> DecoderLoop<Decoder> {
        DecoderLoop(
            bell: bell, needKeyframe: needKeyframe,
            makeDecoder: { codec, isFallback throws(HelioError) in
                try makeDecoder(
                    codec, choice: isFallback ? .software : choice, mayReorder: mayReorder, mostSamples: mostSamples)
            })
    }
}
