// Of iOS alone.
import AppleBase

extension View {
    public func statusBarHidden(_ hidden: Bool = true) -> some View { self }
}
