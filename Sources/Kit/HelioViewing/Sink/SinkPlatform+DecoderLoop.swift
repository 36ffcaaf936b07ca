internal import HelioCore

extension SinkPlatform {
    /// Makes the loop of a decoding thread, with this platform's decoders.
    ///
    /// - Parameters:
    ///   - mayReorder: true if frames may be sent in another order than they are shown.
    ///   - choice: the decoder to use, until hardware fails.
    ///   - mostSamples: the maximum size of a picture, in luma samples. The other parameters are passed to
    ///     `DecoderLoop`.
    func makeDecoderLoop(
        mayReorder: Bool, choice: CodecChoice, mostSamples: Int, notes: NoteBoard,
        bell: @escaping @Sendable () -> Void, needKeyframe: @escaping @Sendable () -> Void
    ) -> DecoderLoop<Decoder> {
        DecoderLoop(
            notes: notes, bell: bell, needKeyframe: needKeyframe,
            makeDecoder: { codec, isFallback throws(HelioError) in
                try makeDecoder(
                    codec, choice: isFallback ? .software : choice, mayReorder: mayReorder, mostSamples: mostSamples)
            })
    }
}
