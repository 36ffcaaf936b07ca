package import HelioCore

/// A decoded picture in a platform's own memory, which stays there until it is shown.
package protocol PictureBuffer: AnyObject, Sendable {
    var size: PixelSize { get }
    /// The layout; `nil` for one that can't be shown.
    var samples: SampleFormat? { get }
    /// The mean luma of every `step`th row, in coded sample values.
    func meanLuma(everyRow step: Int) -> Double
}
