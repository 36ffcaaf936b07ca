public import AppleBase
public import CoreGraphics

extension Image {
    public enum Interpolation: Sendable {
        case none
        case low
        case medium
        case high
    }
    public init(decorative cgImage: CGImage, scale: CGFloat) { stub() }
    public func interpolation(_ interpolation: Interpolation) -> Image { stub() }
    public func resizable() -> Image { stub() }
}

public struct EnabledTextSelectability: Sendable {
    public static var enabled: EnabledTextSelectability { stub() }
}

extension View {
    public func textSelection(_ selectability: EnabledTextSelectability) -> some View { self }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
}
