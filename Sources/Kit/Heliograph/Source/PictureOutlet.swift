internal import HelioCore
private import HelioGround
internal import HelioPicture

/// The receiver of a media thread's output, which also makes its encoders. Called on the media thread only.
protocol PictureOutlet: AnyObject {
    associatedtype Encoder: VideoEncoding

    /// The current time, on the clock of the capture times.
    var now: Instant { get }
    /// Makes the chosen encoder or, if `isFallback` is true, the encoder that is likeliest to work after a failure.
    func makeEncoder(_ format: VideoFormat, isFallback: Bool) throws(HelioError) -> Encoder
    /// Passes a slice on. Returns false if that was impossible: the frame is then incomplete, and a keyframe is needed.
    func submit(_ slice: EncodedSlice) -> Bool
    /// Polls the pointer's shape and position.
    func pollCursor() throws(HelioError)
    /// Handles a report about the pictures, such as a change of their format or of the monitors.
    func take(_ news: PictureNews)
}

extension PictureOutlet {
    var now: Instant { MonotonicClock.now }
    /// Polls no pointer, for pictures without one.
    func pollCursor() {}
    /// Ignores the report, for an outlet that needs the slices only.
    func take(_: PictureNews) {}
}
