import AppleBase

public struct TabView<SelectionValue: Hashable, Content: View>: StubView {}
extension TabView where SelectionValue == Int {
    public init(@ViewBuilder content: () -> Content) { stub() }
}

public struct Label<Title: View, Icon: View>: StubView {}
extension Label where Title == Text, Icon == Image {
    public init<S: StringProtocol>(_ title: S, systemImage name: String) { stub() }
}

extension View {
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { self }
}
