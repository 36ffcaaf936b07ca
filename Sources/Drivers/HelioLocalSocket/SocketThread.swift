package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A thread of a socket's own, with a small stack: an extension has 50 MB for everything.
package enum SocketThread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Starts a thread. Throws `systemFailed` where the system has no thread left.
    ///
    /// - Parameter body: handed over to the new thread; the caller touches nothing of it afterwards.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(HelioError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 256 << 10)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let argument = Unmanaged.passRetained(Body(body)).toOpaque()
        #if canImport(Glibc)
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, { SocketThread.enter($0) }, argument)
        #else
        var thread: pthread_t?
        let result = pthread_create(&thread, &attributes, { SocketThread.enter($0) }, argument)
        #endif
        guard result == 0 else {
            Unmanaged<Body>.fromOpaque(argument).release()
            throw HelioError(.systemFailed, "No thread is left for the relay.")
        }
    }

    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
