/// What uses a connection to the sound server. It is called on the connection's thread, with its lock held.
protocol PulseUser: AnyObject {
    /// There is a connection. What was made on an earlier one is gone.
    func connected()
    /// The connection has broken: all that was made on it is to be let go of.
    func disconnected()
    /// Another device is the default, or one came or went.
    func devicesChanged()
}
