@_exported public import Darwin

public func helio_clock(_ clock: clockid_t) -> Int64 { stub() }
public func helio_wakeup_new() -> Int32 { stub() }
public func helio_wakeup_signal(_ descriptor: Int32) { stub() }
public func helio_wakeup_take(_ descriptor: Int32) -> Int32 { stub() }
public func helio_alarm_new() -> Int32 { stub() }
public func helio_alarm_set(_ descriptor: Int32, _ nanoseconds: Int64) { stub() }
public func helio_alarm_take(_ descriptor: Int32) { stub() }
public func helio_poll(_ polled: UnsafeMutablePointer<pollfd>!, _ count: UInt32, _ nanoseconds: Int64) -> Int32 {
    stub()
}
public func helio_descriptor_close(_ descriptor: Int32) { stub() }
public func helio_thread_set_name(_ name: UnsafePointer<CChar>!) { stub() }
