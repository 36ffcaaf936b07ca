/// An error for a person or an app: what went wrong, and what can be done about it.
///
/// Inside the package errors are typed and small; at the edge they become this.
public struct HelioError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error: stable, for programs.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name: lower case, with hyphens.
        public let name: String
        /// The name.
        public var description: String { name }
        package init(_ name: StaticString) { self.name = name.description }

        /// The display, window or screen can't be captured, or no longer.
        public static let captureFailed = Code("capture-failed")
        /// The encoder could not be started, or failed while running (row 7).
        public static let encoderFailed = Code("encoder-failed")
        /// The decoder could not be started, or failed while running.
        public static let decoderFailed = Code("decoder-failed")
        /// Nothing to show pictures on.
        public static let displayUnavailable = Code("display-unavailable")
        /// The machine, build or peer cannot do what was asked for.
        public static let unsupported = Code("unsupported")
        /// The other end did not let us in, or is not who the link says.
        public static let refused = Code("refused")
        /// The other end can't be reached, or vanished.
        public static let unreachable = Code("unreachable")
        /// The other end has ended the session in good order.
        public static let ended = Code("ended")
        /// The other end broke the protocol.
        public static let protocolViolation = Code("protocol-violation")
        /// An argument or a setting makes no sense.
        public static let invalidArgument = Code("invalid-argument")
        /// A file or socket of this machine can't be used.
        public static let systemFailed = Code("system-failed")
    }

    /// The ``reason`` where the other end has not shown that it is who it is to be.
    package static let impostor = "impostor"

    /// The kind of error.
    public let code: Code
    /// A description of what was wrong and, if there is no ``remedy`` for it, of what to do; in whole sentences. No
    /// secrets.
    public let message: String
    /// The remedy, if it depends on the program's own options and screens.
    public let remedy: Remedy?
    /// The very reason, for programs: of a refusal its name in the protocol, such as `wrong-proof`, and `impostor` where
    /// the other end has not shown that it is who it is to be. `nil` where ``code`` says all.
    public let reason: String?
    /// The underlying error, for logs.
    public let cause: (any Error)?

    package init(
        _ code: Code, _ message: String, remedy: Remedy? = nil, reason: String? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.reason = reason
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
}
