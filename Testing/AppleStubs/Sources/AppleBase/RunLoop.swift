// Core Foundation's run loops and Mach ports.
public typealias CFIndex = Int

public final class CFMachPort {}
public final class CFRunLoop {}
public final class CFRunLoopSource {}

public struct CFRunLoopMode: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var commonModes: CFRunLoopMode! { stub() }
}

public func CFMachPortCreateRunLoopSource(
    _ allocator: CFAllocator!, _ port: CFMachPort!, _ order: CFIndex
)
    -> CFRunLoopSource!
{ stub() }
public func CFMachPortInvalidate(_ port: CFMachPort!) { stub() }
public func CFRunLoopAddSource(_ rl: CFRunLoop!, _ source: CFRunLoopSource!, _ mode: CFRunLoopMode!) { stub() }
public func CFRunLoopGetMain() -> CFRunLoop! { stub() }
