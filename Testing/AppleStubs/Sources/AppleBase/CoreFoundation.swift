// What Core Foundation's types are in Swift. Every framework here exports them, as Apple's do.
@_exported public import Foundation

public typealias CFTypeRef = AnyObject
// Types of their own, as there: Foundation's are none of them without 'as', which Linux has for literals alone. So code that
// is checked here bridges by literals ('[key: value] as CFDictionary'), and an 'as' that is missing is seen.
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
