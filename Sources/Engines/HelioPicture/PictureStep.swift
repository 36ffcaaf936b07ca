package import HelioCore

/// What the driver of a `PictureEngine` does next.
package enum PictureStep: Sendable {
    /// Waits for a change of the screen, or for a call of `waker`, until an instant at the latest; `nil`: for as long as
    /// it takes.
    case wait(until: Instant?)
    /// Reads the pointer's shape and position.
    case pollCursor
    /// Keeps the screen from going dark, or lets it.
    case keepAwake(Bool)
    /// Gives word to others.
    case tell(PictureNews)
    /// Releases the encoder and the picture of an encode that has ended.
    case close(EncodingID)
    /// Ends with an error.
    case fail(HelioError)

    // Each of these has a result.
    case select(ScreenMonitor.ID)
    /// Makes an encoder, which takes the old one's place. Where that fails, the old one stays.
    case makeEncoder(EncodingID, VideoFormat, isFallback: Bool)
    case reconfigure(EncodingID, VideoFormat)
    /// Makes the picture that the screen is captured into.
    case makePicture(EncodingID, VideoFormat)
    case capture(EncodingID, CaptureExtent)
    case encode(EncodingID, Captured, EncodeRequest, FrameTiming)
    case takeKeyframe(EncodingID, frameIndex: UInt64)

    /// True where the engine goes on only once it has the result.
    package var hasResult: Bool {
        switch self {
        case .select, .makeEncoder, .reconfigure, .makePicture, .capture, .encode, .takeKeyframe: true
        case .wait, .pollCursor, .keepAwake, .tell, .close, .fail: false
        }
    }
}

/// How much of the screen is captured.
package enum CaptureExtent: Sendable, Hashable {
    /// What has changed since the capture before.
    case changes
    case everything
    /// A part, in pixels of the screen, as it is now.
    case part(Region)
}

/// The result of a step.
package enum PictureResult: Sendable {
    /// It was done: a monitor was selected, an encoder reconfigured, a picture made.
    case done
    case madeEncoder(EncoderTraits)
    /// `nil` where nothing has changed, or nothing can be captured before the screen's next `layoutChanged`.
    case captured(Captured?)
    case coded(CodedPicture)
    /// A keyframe that was coded aside was handed out. `isBehind`: the picture has changed since it was begun; `nil`: there
    /// was none.
    case tookKeyframe(isBehind: Bool?, isBroken: Bool)
    case failed(HelioError)
}

/// What came of coding a picture.
package struct CodedPicture: Sendable, Hashable {
    /// The size of its slices; 0 where the encoder gave none: then it is no picture.
    package var bytes: Int
    package var isKeyframe: Bool
    /// True where a slice could not be handed on: viewers can't decode what comes after it.
    package var isBroken: Bool

    package init(bytes: Int, isKeyframe: Bool = false, isBroken: Bool = false) {
        self.bytes = bytes
        self.isKeyframe = isKeyframe
        self.isBroken = isBroken
    }
}

/// A change that others have to know of.
package enum PictureNews: Sendable {
    /// An encode has this format from its next frame on.
    case format(VideoFormat, of: EncodingID)
    /// The screen has this size, on that monitor, from now on; the capture is a pixel more where a side is odd.
    case screen(PixelSize, ScreenMonitor)
    /// The list of monitors has changed, or another is captured.
    case layout(MonitorLayout)
    /// The wanted picture has this size, before any viewer's limit.
    case wantedSize(PixelSize)
    /// Another encoder codes the pictures from now on: of this codec, by hardware or not.
    case encoder(VideoCodec, isHardware: Bool)
    /// A failure of an encoder that the stream has survived, for statistics.
    case trouble(EncoderTrouble)
    /// Size or frame rate are below the agreed ones from now on, for this cause; `nil`: they are not any more.
    case shortage(String?)
    /// There is no encoder for a second encode, or it has failed.
    case secondFailed
    /// A sentence for the person; the session goes on.
    case note(String)
}
