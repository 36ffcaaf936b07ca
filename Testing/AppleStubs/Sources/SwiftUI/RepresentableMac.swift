public import AppKit

public struct NSViewRepresentableContext<Representable: NSViewRepresentable> {}

@MainActor @preconcurrency public protocol NSViewRepresentable: View where Body == Never {
    associatedtype NSViewType: NSView
    typealias Context = NSViewRepresentableContext<Self>
    @MainActor @preconcurrency func makeNSView(context: Context) -> NSViewType
    @MainActor @preconcurrency func updateNSView(_ nsView: NSViewType, context: Context)
}

extension NSViewRepresentable {
    public var body: Never { stub() }
}
