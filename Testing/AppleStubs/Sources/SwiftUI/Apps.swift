import AppleBase

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor public static func main() { stub() }
}

@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

public protocol StubScene: Scene where Body == Never {}
extension StubScene {
    public var body: Never { stub() }
}

public struct TupleScene<T>: StubScene {}

@resultBuilder public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: Scene>(
        _ content: repeat each Content
    ) -> TupleScene<(repeat each Content)> {
        stub()
    }
}

public struct WindowGroup<Content: View>: StubScene {
    public init(@ViewBuilder content: () -> Content) { stub() }
}
