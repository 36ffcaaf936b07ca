// Of macOS alone.
public import AppleBase
public import Dispatch

public typealias AudioObjectID = UInt32
public typealias AudioObjectPropertyElement = UInt32
public typealias AudioObjectPropertyScope = UInt32
public typealias AudioObjectPropertySelector = UInt32

public struct AudioObjectPropertyAddress {
    public var mSelector: AudioObjectPropertySelector
    public var mScope: AudioObjectPropertyScope
    public var mElement: AudioObjectPropertyElement
    public init(
        mSelector: AudioObjectPropertySelector, mScope: AudioObjectPropertyScope, mElement: AudioObjectPropertyElement
    ) { stub() }
}

public var kAudioDevicePropertyBufferFrameSize: AudioObjectPropertySelector { 0x6673_697A }
public var kAudioDevicePropertyDeviceUID: AudioObjectPropertySelector { 0x7569_6420 }
public var kAudioDevicePropertyLatency: AudioObjectPropertySelector { 0x6C74_6E63 }
public var kAudioDevicePropertyNominalSampleRate: AudioObjectPropertySelector { 0x6E73_7274 }
public var kAudioDevicePropertySafetyOffset: AudioObjectPropertySelector { 0x7361_6674 }
public var kAudioDevicePropertyStreams: AudioObjectPropertySelector { 0x7374_6D23 }
public var kAudioHardwarePropertyDefaultInputDevice: AudioObjectPropertySelector { 0x6449_6E20 }
public var kAudioHardwarePropertyDefaultOutputDevice: AudioObjectPropertySelector { 0x644F_7574 }
public var kAudioHardwarePropertyDevices: AudioObjectPropertySelector { 0x6465_7623 }
public var kAudioObjectPropertyName: AudioObjectPropertySelector { 0x6C6E_616D }
public var kAudioStreamPropertyLatency: AudioObjectPropertySelector { 0x6C74_6E63 }
public var kAudioObjectPropertyElementMain: AudioObjectPropertyElement { 0 }
public var kAudioObjectPropertyScopeGlobal: AudioObjectPropertyScope { 0x676C_6F62 }
public var kAudioObjectPropertyScopeInput: AudioObjectPropertyScope { 0x696E_7074 }
public var kAudioObjectPropertyScopeOutput: AudioObjectPropertyScope { 0x6F75_7470 }
public var kAudioObjectSystemObject: AudioObjectID { 1 }

public func AudioObjectGetPropertyData(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
    _ inQualifierData: UnsafeRawPointer?, _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus { stub() }
public func AudioObjectGetPropertyDataSize(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
    _ inQualifierData: UnsafeRawPointer?, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus { stub() }

/// Apple's SDK uses a block.
public typealias AudioObjectPropertyListenerBlock = (UInt32, UnsafePointer<AudioObjectPropertyAddress>) -> Void
public func AudioObjectAddPropertyListenerBlock(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus { stub() }
public func AudioObjectRemovePropertyListenerBlock(
    _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
    _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus { stub() }
