public class CMClock {}
public func CMClockGetHostTimeClock() -> CMClock { stub() }
public func CMClockGetTime(_ clock: CMClock) -> CMTime { stub() }
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime { stub() }
