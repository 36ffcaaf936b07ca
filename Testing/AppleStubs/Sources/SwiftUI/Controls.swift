import AppleBase

public struct PrimitiveRole: Sendable {}

public struct ButtonRole: Equatable, Sendable {
    public static let destructive = ButtonRole()
    public static let cancel = ButtonRole()
}

public struct Button<Label: View>: StubView {
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { stub() }
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { stub() }
}

public struct Toggle<Label: View>: StubView {
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { stub() }
}

extension Toggle where Label == Text {
    public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) { stub() }
}

public struct TextField<Label: View>: StubView {}
extension TextField where Label == Text {
    public init<S: StringProtocol>(_ title: S, text: Binding<String>, prompt: Text?) { stub() }
}

public struct SecureField<Label: View>: StubView {}
extension SecureField where Label == Text {
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) { stub() }
}

public struct BorderedProminentButtonStyle: Sendable {}
extension BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { stub() }
}

@propertyWrapper public struct Binding<Value> {
    public var wrappedValue: Value {
        get { stub() }
        nonmutating set { stub() }
    }
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) { stub() }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) { stub() }
    public var wrappedValue: Value {
        get { stub() }
        nonmutating set { stub() }
    }
}
