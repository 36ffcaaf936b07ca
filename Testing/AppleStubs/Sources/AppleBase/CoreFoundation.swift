// What Core Foundation's types are in Swift. Every framework here exports them, as Apple's do.
@_exported public import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFNumber = NSNumber
public typealias CFBoolean = NSNumber
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFArray = NSArray
public typealias CFData = NSData
public typealias OSStatus = Int32
public typealias OSType = UInt32
public typealias FourCharCode = UInt32

public final class CFAllocator {}

public var kCFAllocatorDefault: CFAllocator! { stub() }
public var kCFAllocatorNull: CFAllocator! { stub() }
public var kCFBooleanTrue: CFBoolean! { stub() }
public var kCFBooleanFalse: CFBoolean! { stub() }
public let noErr: OSStatus = 0
