internal import HelioRendezvousWire

/// A message between instances. Each instance knows the devices of all others, so that a ring and a watch need no
/// question.
///
/// ```
///   every frame   | version u8 | type u8 | sender's name (16) | fields |
///   1 alive       | number u64 |
///   2 ask         |
///   3 record      | number u64 | device (16) | epoch u64 | is online u8 | seconds u32 | count u8 |
///                 | count times: tag (16), seconds u32 |
///   4 complete    | number u64 |
///   5 leave       |
///   6 ring        | call u64 | device (16) | tag (16) | address: length u8, UTF-8 |
///   7 reached     | call u64 | the sender's call u64 |
///   8 message     | call u64 | the rest |
///   9 data        | call u64 | the rest |
///  10 hang up     | call u64 | reason u8 |
/// ```
/// Numbers are big-endian. `call` is the receiver's own number, but the sender's in `ring`.
enum BusFrame: Equatable {
    /// Sent to everyone in regular intervals, with the number of the sender's last record.
    case alive(number: UInt64)
    /// Asks an instance for the records of all its devices.
    case ask
    case record(number: UInt64, DeviceRecord)
    /// The end of the records that were asked for, which are as new as this number.
    case complete(number: UInt64)
    /// The sender ends.
    case leave
    case ring(call: UInt64, RendezvousID, RingTag, address: String)
    case reached(call: UInt64, as: UInt64)
    case message(call: UInt64, [UInt8])
    case data(call: UInt64, [UInt8])
    case hangUp(call: UInt64, HangUpReason)

    static let version: UInt8 = 1

    enum Kind: UInt8 {
        case alive = 1
        case ask, record, complete, leave, ring, reached, message, data, hangUp
    }
}

/// A device of an instance, for the others.
struct DeviceRecord: Equatable {
    /// The largest epoch that is believed, so that counting on can't overflow.
    static let mostEpoch: UInt64 = 1 << 62

    var device: RendezvousID
    /// The number of the device's registration: a later one, at any instance, has a larger number.
    var epoch: UInt64
    var isOnline: Bool
    /// The seconds since the device was last online.
    var secondsAgo: UInt32
    var permits: [Permit]
}
