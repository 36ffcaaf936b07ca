package import HelioCore

/// A step that the driver of a `PictureEngine` executes.
package enum PictureStep: Sendable {
    /// Waits for a change of the screen or a call of `waker`, at most until this instant; `nil` for no time limit.
    case wait(until: Instant?)
    /// Reads the pointer's shape and position.
    case pollCursor
    /// Prevents the screen from going dark when idle; with `false`, allows it again.
    case keepAwake(Bool)
    /// Reports a change to the rest of the host.
    case tell(PictureNews)
    /// Releases the encoder and the picture of an encoding that has ended.
    case close(EncodingID)
    /// Ends the stream of pictures with an error.
    case fail(HelioError)

    // Each of the following steps has a result.
    case select(ScreenMonitor.ID)
    /// Makes an encoder, which replaces the encoding's present encoder. If that fails, the present encoder stays.
    case makeEncoder(EncodingID, VideoFormat, isFallback: Bool)
    case reconfigure(EncodingID, VideoFormat)
    /// Makes the picture buffer that the screen is captured into, in this format's size and chroma.
    case makePicture(EncodingID, VideoFormat)
    case capture(EncodingID, CaptureExtent)
    case encode(EncodingID, Captured, EncodeRequest, FrameTiming)
    case takeKeyframe(EncodingID, frameIndex: UInt64)

    /// True if the step's result has to be passed to `handle` before the engine continues.
    package var hasResult: Bool {
        switch self {
        case .select, .makeEncoder, .reconfigure, .makePicture, .capture, .encode, .takeKeyframe: true
        case .wait, .pollCursor, .keepAwake, .tell, .close, .fail: false
        }
    }
}

/// The part of the screen to capture.
package enum CaptureExtent: Sendable, Hashable {
    /// The damage since the last capture.
    case changes
    case everything
    /// This region, in pixels of the screen, whether or not it has changed.
    case part(Region)
}

/// The result of a `PictureStep`, passed to `handle` for steps whose `hasResult` is true.
package enum PictureResult: Sendable {
    /// The step has succeeded: a monitor was selected, an encoder reconfigured, or a picture buffer made.
    case done
    case madeEncoder(EncoderTraits)
    /// The capture; `nil` if nothing has changed, or nothing can be captured before the screen's next `layoutChanged`.
    case captured(Captured?)
    case coded(CodedPicture)
    /// A keyframe that was encoded in parallel was fetched from the encoder. `isBehind` is true if the picture has
    /// changed since the encoder began the keyframe; `nil` if there was no keyframe. `isBroken`: see `CodedPicture`.
    case tookKeyframe(isBehind: Bool?, isBroken: Bool)
    case failed(HelioError)
}

/// The result of encoding a picture.
package struct CodedPicture: Sendable, Hashable {
    /// The size of the picture's slices in bytes; 0 if the encoder output no slice, so that there is no picture.
    package var bytes: Int
    package var isKeyframe: Bool
    /// True if a slice could not be passed on, so that viewers can't decode the pictures after it.
    package var isBroken: Bool

    package init(bytes: Int, isKeyframe: Bool = false, isBroken: Bool = false) {
        self.bytes = bytes
        self.isKeyframe = isKeyframe
        self.isBroken = isBroken
    }
}

/// A change that the driver reports to the rest of the host.
package enum PictureNews: Sendable {
    /// An encoding has this format from its next frame on.
    case format(VideoFormat, of: EncodingID)
    /// The monitor that is captured from now on, and its size in pixels. The capture is a pixel wider or higher if that
    /// side is odd.
    case screen(PixelSize, ScreenMonitor)
    /// The list of monitors has changed, or another monitor is captured.
    case layout(MonitorLayout)
    /// The new wanted size of the picture, before any viewer's limit.
    case wantedSize(PixelSize)
    /// Another encoder codes the pictures from now on: its codec, and whether it is a hardware encoder.
    case encoder(VideoCodec, isHardware: Bool)
    /// A failure of an encoder that the stream has survived, for statistics.
    case trouble(EncoderTrouble)
    /// The reason why size or frame rate are below the agreed ones from now on; `nil` if the agreed format is coded
    /// again.
    case shortage(String?)
    /// The second encoding has ended, as its encoder could not be made or has failed.
    case secondFailed
    /// A human-readable notice for the host's user; the session continues.
    case note(String)
}
