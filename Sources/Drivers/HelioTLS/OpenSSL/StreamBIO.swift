internal import COpenSSL

/// A BIO that connects OpenSSL to the two buffers of a `TLSStream`, with one copy of each byte in each direction.
enum StreamBIO {
    /// Makes the BIO, which belongs to the `SSL` that it is given to; the stream must outlive that `SSL`. `nil` if
    /// there is no memory.
    static func make(for stream: TLSStream) -> OpaquePointer? {
        guard let method = method.pointer, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(stream).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// The flags for a read that has to be retried; writes never need a retry.
    private static let retry = BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY

    private static func stream(_ bio: OpaquePointer?) -> TLSStream? {
        BIO_get_data(bio).map { Unmanaged<TLSStream>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The method table of all BIOs of this type; made once, never changed and never freed.
    private struct Method: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let method: Method = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "heliograph stream") else {
            return Method(pointer: nil)
        }
        BIO_meth_set_read(method) { bio, buffer, count in
            BIO_clear_flags(bio, StreamBIO.retry)
            if let buffer, count > 0, let stream = StreamBIO.stream(bio) {
                let read = stream.takeInput(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
                if read > 0 { return Int32(read) }
            }
            BIO_set_flags(bio, StreamBIO.retry)
            return -1
        }
        BIO_meth_set_write(method) { bio, buffer, count in
            BIO_clear_flags(bio, StreamBIO.retry)
            guard let buffer, count > 0, let stream = StreamBIO.stream(bio) else { return 0 }
            stream.putOutput(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
            return count
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return Method(pointer: method)
    }()
}
