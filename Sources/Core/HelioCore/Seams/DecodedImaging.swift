/// A decoded picture on its way from the decoder to whoever shows it. Its samples stay where the decoder has them.
package protocol DecodedImaging: Sendable {
    var size: PixelSize { get }
    /// Size, chroma and colour, as the stream has them.
    var description: PictureDescription { get }
    /// The part that may differ from the picture decoded before; `nil` = everything.
    var damage: Region? { get }

    /// The mean luma of every `step`th row, in coded sample values.
    func meanLuma(everyRow step: Int) -> Double
}
