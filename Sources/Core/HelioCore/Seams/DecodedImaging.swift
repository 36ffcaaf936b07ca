/// A decoded picture on its way from the decoder to the window that shows it. Its samples stay in the decoder's memory.
package protocol DecodedImaging: Sendable {
    var size: PixelSize { get }
    /// Size, chroma and colour from the stream.
    var description: PictureDescription { get }
    /// The part that may differ from the previously decoded picture; `nil` for everything.
    var damage: Region? { get }

    /// The mean luma of every `step`th row, in coded sample values.
    func meanLuma(everyRow step: Int) -> Double
}
