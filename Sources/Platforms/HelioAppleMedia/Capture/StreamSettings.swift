package import HelioCore

/// The settings with which a capture stream is started or updated.
package struct StreamSettings: Sendable, Hashable {
    /// The ID of the display or window (`DisplayInfo.id`).
    package var display: String
    /// The size to which the system scales the pictures, in pixels.
    package var size: PixelSize
    /// The maximum frame rate, in frames per second.
    package var framesPerSecond: Int
    package var chroma: ChromaSampling
    package var color: ColorDescription
    /// True if the system draws its pointer into the pictures.
    package var showsCursor: Bool
    /// The number of the start to which the settings belong; each start increments it.
    package var generation: Int

    package init(
        display: String, size: PixelSize, framesPerSecond: Int, chroma: ChromaSampling, color: ColorDescription,
        showsCursor: Bool = false, generation: Int
    ) {
        self.display = display
        self.size = size
        self.framesPerSecond = framesPerSecond
        self.chroma = chroma
        self.color = color
        self.showsCursor = showsCursor
        self.generation = generation
    }
}
