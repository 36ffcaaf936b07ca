// Core Foundation's types, as Swift imports them. Like Apple's frameworks, every framework here re-exports them.
@_exported public import Foundation

public typealias CFTypeRef = AnyObject
// Core Foundation's types are distinct from Foundation's, as in Apple's SDK; Foundation's convert to them only with
// 'as'. On Linux, 'as' works only for literals, so the checked code bridges literals ('[key: value] as CFDictionary'),
// and a missing 'as' is an error.
public final class CFString: Hashable, ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { stub() }
    public static func == (one: CFString, other: CFString) -> Bool { stub() }
    public func hash(into hasher: inout Hasher) { stub() }
}
public final class CFNumber {}
public final class CFBoolean: Equatable {
    public static func == (one: CFBoolean, other: CFBoolean) -> Bool { stub() }
}
public final class CFDictionary: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (AnyHashable, Any)...) { stub() }
}
public final class CFArray: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Any...) { stub() }
}
public final class CFData {}
public typealias OSStatus = Int32
public typealias OSType = UInt32
public typealias FourCharCode = UInt32

public final class CFAllocator {}

public var kCFAllocatorDefault: CFAllocator! { stub() }
public var kCFAllocatorNull: CFAllocator! { stub() }
public var kCFBooleanTrue: CFBoolean! { stub() }
public var kCFBooleanFalse: CFBoolean! { stub() }
public let noErr: OSStatus = 0
