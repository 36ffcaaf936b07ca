import AppleBase

public struct Material: Sendable {
    public static var regularMaterial: Material { stub() }
}

public enum Visibility: Hashable, Sendable {
    case automatic
    case visible
    case hidden
}

extension View {
    public func background(_ style: Material) -> some View { self }
    public func persistentSystemOverlays(_ visibility: Visibility) -> some View { self }
}
