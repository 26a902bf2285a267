internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceLibrary

/// The daemon's Unix socket on which commands ask what they need not compare: a client that connects gets one line, and the
/// connection is closed.
final class BarrierSocket: Sendable {
    private let socket: DaemonSocket
    private let source: Mutex<(any DispatchSourceRead)?>

    /// Listens from now on. A socket that a predecessor left is removed: the lock of the state directory says that it has ended.
    ///
    /// - Throws: `Errno` of a system call.
    init(_ socket: DaemonSocket, _ barriers: Barriers) throws(Errno) {
        self.socket = socket
        let listener = try Self.listen(socket)
        let source = DispatchSource.makeReadSource(
            fileDescriptor: listener.rawValue,
            queue: DispatchQueue(label: "traced.barriers", qos: .userInitiated))
        let clients = BarrierClients(listener, barriers)
        source.setEventHandler { clients.accept() }
        source.setCancelHandler { try? listener.close() }
        source.activate()
        self.source = Mutex(source)
    }

    deinit { close() }

    /// Removes the socket; clients that wait for an answer still get it.
    func close() {
        source.withLock { source in
            guard let open = source.take() else { return }
            _ = socket.path.withPlatformString { unlink($0) }
            open.cancel()
        }
    }

    private static func listen(_ socket: DaemonSocket) throws(Errno) -> FileDescriptor {
        let listener = try DaemonSocket.open()
        do throws(Errno) {
            try socket.withAddress { address, length in
                _ = socket.path.withPlatformString { unlink($0) }
                return bind(listener.rawValue, address, length)
            }
            // The group of the directory may ask if it shares that; others never. Nobody can before `listen`.
            let isShared = (try? OpenDirectory(socket.directory).isShared) ?? false
            guard socket.path.withPlatformString({ chmod($0, isShared ? 0o660 : 0o600) }) == 0,
                Glibc.listen(listener.rawValue, BarrierClients.capacity) == 0
            else { throw Errno(rawValue: errno) }
            return listener
        } catch {
            try? listener.close()
            throw error
        }
    }
}

/// Who has connected.
///
/// Nothing is read from clients, and none is waited for: an answer fits into the buffer of a socket, and a client that does not take
/// it loses it.
private final class BarrierClients: Sendable {
    private let listener: FileDescriptor
    private let barriers: Barriers
    private let count = Atomic(0)

    /// More clients than this get no answer.
    static let capacity: Int32 = 64

    init(_ listener: FileDescriptor, _ barriers: Barriers) {
        self.listener = listener
        self.barriers = barriers
    }

    /// Takes all that have connected.
    func accept() {
        while true {
            let client = Glibc.accept(listener.rawValue, nil, nil)
            if client >= 0 {
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                answer(FileDescriptor(rawValue: client))
            } else if errno != EINTR, errno != ECONNABORTED {
                // Without descriptors they stay in the queue, and this is called again at once; that must not take a core.
                if errno != EAGAIN { usleep(100_000) }
                return
            }
        }
    }

    private func answer(_ client: FileDescriptor) {
        if count.add(1, ordering: .relaxed).newValue > Self.capacity {
            end(client, nil)
        } else {
            barriers.ask { self.end(client, $0) }
        }
    }

    private func end(_ client: FileDescriptor, _ answer: WatchedRoots?) {
        let line = answer?.line ?? WatchedRoots.unknownLine
        _ = line.withUnsafeBytes {
            send(client.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        try? client.close()
        count.subtract(1, ordering: .relaxed)
    }
}
