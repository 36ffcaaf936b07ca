internal import HelioCore
private import HelioGround
internal import HelioPicture

/// The rest of a source, as its media thread sees it. All calls come on that thread.
protocol PictureOutlet: AnyObject {
    associatedtype Encoder: VideoEncoding

    /// The time by the clock of the captures.
    var now: Instant { get }
    /// Makes the chosen encoder or, as fallback, the one that is likeliest to work after a failure.
    func makeEncoder(_ format: VideoFormat, isFallback: Bool) throws(HelioError) -> Encoder
    /// Passes a slice on. Returns false if that was impossible: the frame is incomplete, and a keyframe is needed.
    func submit(_ slice: EncodedSlice) -> Bool
    /// Polls the pointer's shape and position.
    func pollCursor() throws(HelioError)
    /// Handles a change of the pictures.
    func take(_ news: PictureNews)
}

extension PictureOutlet {
    var now: Instant { MonotonicClock.now }
    /// Does nothing, for pictures without a pointer.
    func pollCursor() {}
    /// Does nothing, for an outlet that needs nothing but the slices.
    func take(_: PictureNews) {}
}
