internal import CZlib
internal import NIOCore

/// Compresses bytes into the gzip format, piece by piece, in memory that does not grow with them.
///
/// The same bytes are always compressed to the same ones: neither a name nor a time is in the header.
///
/// Source: RFC 1952; zlib.h.
final class GzipStream {
    /// On the heap, since zlib remembers where it is.
    private let stream: UnsafeMutablePointer<z_stream>

    /// What was compressed is not whole: zlib found its own state broken.
    struct Failure: Error {}

    /// Half as much work as the usual level 6 on JSON, for one part in fifty more bytes.
    private static let level: Int32 = 5
    /// Of a window, as a power of two.
    private static let greatestWindow: Int32 = 15
    /// Greater than this, a window makes zlib write a gzip header around what it compresses.
    private static let gzipWindow: Int32 = 16
    private static let memoryLevel: Int32 = 8

    /// - Parameter count: How many bytes there will be; nil if that is not known. A short text needs little memory, and none of it
    ///   has to be cleared.
    /// - Returns: Nil if there is no memory for it: up to 256 KiB.
    init?(expecting count: Int? = nil) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A window of 256 bytes is one that zlib does not keep to.
        var window: Int32 = 9
        while window < Self.greatestWindow, count.map({ $0 > 1 << window }) ?? true { window += 1 }
        let code = deflateInit2_(
            stream, Self.level, Z_DEFLATED, window + Self.gzipWindow,
            Self.memoryLevel - (Self.greatestWindow - window) / 2, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// How much room is made at once for what comes out.
    private static let step = 16 * 1024

    /// Compresses the next bytes. What comes out may be nothing, and belong to earlier ones.
    ///
    /// - Parameters:
    ///   - isLast: Whether these are the last: then everything comes out, and the stream is at its end.
    ///   - output: What comes out is appended to it.
    func add(_ input: ByteBuffer, isLast: Bool, to output: inout ByteBuffer) throws(Failure) {
        var code = Z_OK
        var isFull = false
        input.withUnsafeReadableBytes { bytes in
            // Sound: zlib reads from `next_in`, and writes to `next_out`, at most as many bytes as `avail_in` and `avail_out` say, and
            // uses neither after the call: both are set here before each.
            let start = bytes.bindMemory(to: Bytef.self).baseAddress
            stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
            stream.pointee.avail_in = uInt(bytes.count)
            repeat {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.step) { space in
                    stream.pointee.next_out = space.bindMemory(to: Bytef.self).baseAddress
                    stream.pointee.avail_out = uInt(clamping: space.count)
                    let room = Int(stream.pointee.avail_out)
                    code = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    isFull = stream.pointee.avail_out == 0
                    return room - Int(stream.pointee.avail_out)
                }
            } while isFull && code == Z_OK
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
        guard isLast ? code == Z_STREAM_END : code == Z_OK || code == Z_BUF_ERROR else { throw Failure() }
    }
}
