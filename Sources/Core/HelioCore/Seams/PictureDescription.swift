/// The size, chroma and colour of a decoded picture, always read from the stream.
package struct PictureDescription: Sendable, Hashable {
    package var size: PixelSize
    package var chroma: ChromaSampling
    package var color: ColorDescription

    package init(size: PixelSize, chroma: ChromaSampling, color: ColorDescription) {
        self.size = size
        self.chroma = chroma
        self.color = color
    }
}
