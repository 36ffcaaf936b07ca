public import AppleBase

public struct HorizontalAlignment: Equatable, Sendable {
    public static let center = HorizontalAlignment()
    public static let leading = HorizontalAlignment()
}

public struct VerticalAlignment: Equatable, Sendable {
    public static let center = VerticalAlignment()
}

public struct Alignment: Equatable, Sendable {
    public static let center = Alignment()
    public static let bottom = Alignment()
    public static let topLeading = Alignment()
}

public enum Axis: Sendable {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

public struct Font: Hashable, Sendable {
    public static let headline = Font()
    public static let footnote = Font()
    public static let largeTitle = Font()
    public func monospacedDigit() -> Font { stub() }
}

public struct AccessibilityTraits: Sendable {
    public static let isHeader = AccessibilityTraits()
    public static let isSelected = AccessibilityTraits()
}

extension View {
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
    public func font(_ font: Font?) -> some View { self }
    public func padding() -> some View { self }
    public func foregroundStyle(_ color: Color) -> some View { self }
    public func buttonStyle(_ style: BorderedProminentButtonStyle) -> some View { self }
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        self
    }
    public func ignoresSafeArea() -> some View { self }
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { self }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @isolated(any) @Sendable () async -> Void
    ) -> some View { self }
}
