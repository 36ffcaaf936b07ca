// Of macOS alone.
import AppleBase

public struct Window<Content: View>: StubScene {
    public init<S: StringProtocol>(_ title: S, id: String, @ViewBuilder content: () -> Content) { stub() }
}

public struct Settings<Content: View>: StubScene {
    public init(@ViewBuilder content: () -> Content) { stub() }
}

public struct MenuBarExtra<Label: View, Content: View>: StubScene {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) { stub() }
}

public struct WindowMenuBarExtraStyle: Sendable {
    public static var window: WindowMenuBarExtraStyle { stub() }
}

extension Scene {
    public func menuBarExtraStyle(_ style: WindowMenuBarExtraStyle) -> some Scene { self }
}

@MainActor @preconcurrency public struct OpenSettingsAction {
    @MainActor @preconcurrency public func callAsFunction() { stub() }
}

extension EnvironmentValues {
    public var openSettings: OpenSettingsAction { stub() }
}
