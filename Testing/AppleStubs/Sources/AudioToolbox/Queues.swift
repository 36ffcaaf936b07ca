@_exported public import CoreAudioTypes
public import Dispatch

public typealias AudioQueueRef = OpaquePointer
public typealias AudioQueueBufferRef = UnsafeMutablePointer<AudioQueueBuffer>
public typealias AudioQueuePropertyID = UInt32
public typealias AudioQueueInputCallbackBlock = (
    AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
    UnsafePointer<AudioStreamPacketDescription>?
) -> Void
public typealias AudioQueueOutputCallbackBlock = (AudioQueueRef, AudioQueueBufferRef) -> Void

public struct AudioQueueBuffer {
    public let mAudioDataBytesCapacity: UInt32
    public let mAudioData: UnsafeMutableRawPointer
    public var mAudioDataByteSize: UInt32
}

public func AudioQueueAllocateBuffer(
    _ inAQ: AudioQueueRef, _ inBufferByteSize: UInt32, _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>
) -> OSStatus { stub() }
public func AudioQueueDispose(_ inAQ: AudioQueueRef, _ inImmediate: Bool) -> OSStatus { stub() }
public func AudioQueueEnqueueBuffer(
    _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef, _ inNumPacketDescs: UInt32,
    _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus { stub() }
public func AudioQueueNewInputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: UInt32, _ inCallbackDispatchQueue: DispatchQueue,
    _ inCallbackBlock: @escaping AudioQueueInputCallbackBlock
) -> OSStatus { stub() }
public func AudioQueueNewOutputWithDispatchQueue(
    _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: UInt32, _ inCallbackDispatchQueue: DispatchQueue,
    _ inCallbackBlock: @escaping AudioQueueOutputCallbackBlock
) -> OSStatus { stub() }
public func AudioQueueSetProperty(
    _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ inData: UnsafeRawPointer, _ inDataSize: UInt32
) -> OSStatus { stub() }
public func AudioQueueStart(_ inAQ: AudioQueueRef, _ inStartTime: UnsafePointer<AudioTimeStamp>?) -> OSStatus {
    stub()
}
public func AudioQueueStop(_ inAQ: AudioQueueRef, _ inImmediate: Bool) -> OSStatus { stub() }

public var kAudioQueueProperty_CurrentDevice: AudioQueuePropertyID { 0x6171_6364 }
