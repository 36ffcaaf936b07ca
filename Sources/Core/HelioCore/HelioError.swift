/// An error of the public interface: a description of the problem for the user, and codes for the app.
///
/// Inside the package errors are typed and small; its public interface converts them to this type.
public struct HelioError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error, as a stable name for programs.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name: lower case, with hyphens.
        public let name: String
        /// The kind's name.
        public var description: String { name }
        package init(_ name: StaticString) { self.name = name.description }

        /// The display, window or screen can't be captured, or can no longer be captured.
        public static let captureFailed = Code("capture-failed")
        /// The encoder could not be started, or failed while running (requirement row 7).
        public static let encoderFailed = Code("encoder-failed")
        /// The decoder could not be started, or failed while running.
        public static let decoderFailed = Code("decoder-failed")
        /// There is no display on which to show pictures.
        public static let displayUnavailable = Code("display-unavailable")
        /// The machine, build or peer does not support the request.
        public static let unsupported = Code("unsupported")
        /// The peer refused access, or is not the peer that the link identifies.
        public static let refused = Code("refused")
        /// The peer can't be reached, or no longer responds.
        public static let unreachable = Code("unreachable")
        /// The peer has ended the session normally.
        public static let ended = Code("ended")
        /// The peer violated the protocol.
        public static let protocolViolation = Code("protocol-violation")
        /// An argument or a setting is invalid.
        public static let invalidArgument = Code("invalid-argument")
        /// A file or socket of this machine can't be used.
        public static let systemFailed = Code("system-failed")
    }

    /// The value of ``reason`` if the peer has not proven its identity.
    package static let impostor = "impostor"

    /// The value of ``reason`` if a rendezvous server has answered that the host is not connected to it.
    package static let offline = "offline"

    /// The kind of error, for programs to compare.
    public let code: Code
    /// A description of the problem, in whole sentences, with its solution if there is no ``remedy``. Contains no
    /// secrets.
    public let message: String
    /// The remedy, if it depends on the program's own options and screens.
    public let remedy: Remedy?
    /// The precise reason, for programs: for a refusal, its name in the protocol, such as `wrong-proof`; `impostor` if
    /// the peer has not proven its identity. `nil` if ``code`` is precise enough.
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

    /// The error's ``message``.
    public var description: String { message }
}
