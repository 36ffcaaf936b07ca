@_exported public import AppleBase

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public typealias Body = Never
    public var body: Never { stub() }
}

/// A view that SwiftUI itself implements, without a `body`.
public protocol StubView: View where Body == Never {}
extension StubView {
    public var body: Never { stub() }
}

@resultBuilder public struct ViewBuilder {
    public static func buildBlock() -> EmptyView { stub() }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        stub()
    }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        stub()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        stub()
    }
}

extension Optional: View where Wrapped: View {
    public var body: Never { stub() }
}

public struct ConditionalContent<First: View, Second: View>: StubView {}
public struct TupleView<T>: StubView {}
public struct EmptyView: StubView {
    public init() {}
}

public struct Text: StubView {
    public init<S: StringProtocol>(_ content: S) { stub() }
}

public struct ProgressView: StubView {
    public init() { stub() }
}

public struct Color: StubView {
    public static var black: Color { stub() }
    public static var red: Color { stub() }
}

public struct List<Content: View>: StubView {
    public init(@ViewBuilder content: () -> Content) { stub() }
}

public struct Form<Content: View>: StubView {
    public init(@ViewBuilder content: () -> Content) { stub() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: StubView {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        stub()
    }
}

public struct VStack<Content: View>: StubView {
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) { stub() }
}

public struct HStack<Content: View>: StubView {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        stub()
    }
}

public struct ZStack<Content: View>: StubView {
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) { stub() }
}

public struct ScrollView<Content: View>: StubView {
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        stub()
    }
}

public struct NavigationStack<Root: View>: StubView {
    public init(@ViewBuilder root: () -> Root) { stub() }
}

public struct Image: StubView {
    public init(systemName: String) { stub() }
}
