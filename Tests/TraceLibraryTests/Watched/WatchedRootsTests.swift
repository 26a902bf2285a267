import SystemPackage
import Testing
import TraceFiles

@testable import TraceLibrary

struct WatchedRootsTests {
    private let database = FileID(device: .max, inode: 1 << 63)

    private func watched(_ roots: [FilePath: Bool]) -> WatchedRoots {
        WatchedRoots(database: database, roots: roots)
    }

    @Test func `what is written is read again, whatever bytes a root is made of`() throws {
        let crooked = FilePath(bytes: Array("/srv/\"a\\\n".utf8) + [0x01, 0x7F, 0x80, 0xC3, 0xFF])
        for roots in [[:], ["/srv/sessions": true, "/": false], [crooked: true]] as [[FilePath: Bool]] {
            let line = watched(roots).line
            #expect(line.filter { $0 == 0x0A }.count == 1 && line.last == 0x0A)
            #expect(WatchedRoots(line: line) == watched(roots))
        }
    }

    @Test func `a line that is cut off, at whatever byte, is none`() {
        let line = watched(["/srv/sessions": true]).line
        for count in 0..<line.count { #expect(WatchedRoots(line: Array(line.prefix(count))) == nil) }
    }

    @Test(arguments: [
        "", "\n", "{}\n", "[]\n", "null\n", "{\"device\":1,\"inode\":2,\"roots\":{}}\n",
        #"{"device":"1","inode":"2"}"# + "\n", #"{"device":"-1","inode":"2","roots":{}}"# + "\n",
        #"{"device":"99999999999999999999","inode":"2","roots":{}}"# + "\n",
        #"{"device":"1","inode":"2","roots":{"/a":1}}"# + "\n",
        #"{"device":"1","inode":"2","roots":{"a":true}}"# + "\n",
        #"{"device":"1","inode":"2","roots":{"":true}}"# + "\n",
        #"{"device":"1","inode":"2","roots":{"/\u0000":true}}"# + "\n",
        #"{"device":"1","inode":"2","roots":{"/Ā":true}}"# + "\n",
        #"{"device":"1","inode":"2","roots":{"/a":true,"/a":true}}"# + "\n",
        #"{"device":"1","inode":"2","roots":[true]}"# + "\n",
        String(repeating: "[", count: 5000) + "\n",
    ])
    func `what a daemon does not say is not believed`(_ line: String) {
        #expect(WatchedRoots(line: Array(line.utf8)) == nil)
    }

    @Test func `bytes that are not text are none`() {
        #expect(WatchedRoots(line: [0xFF, 0xFE, 0x0A]) == nil)
        #expect(WatchedRoots(line: WatchedRoots.unknownLine) == nil)
    }

    @Test(
        arguments: [
            (["/a": true, "/b": true], ["/a", "/b"], ["/a", "/b"]),
            (["/a": true, "/b": false], ["/a", "/b"], ["/a"]),
            (["/a": true], ["/a", "/c"], ["/a"]),
            // Another spelling is another root: the index has its sessions under that one's name.
            (["/a": true], ["/a/b", "/A"], []),
            // Sessions below the inner one are in the index below the other root.
            (["/a": true, "/a/in": true], ["/a"], []),
            (["/a": true], ["/a", "/a/in"], []),
            (["/a": true, "/a/in": true], ["/a", "/a/in"], ["/a", "/a/in"]),
            (["/a": false, "/a/in": true], ["/a", "/a/in"], ["/a/in"]),
            (["/a": true, "/ab": true], ["/a"], ["/a"]),
            ([:], ["/a"], []),
        ] as [([FilePath: Bool], [FilePath], Set<FilePath>)])
    func `a root is known where the daemon has the same one, with the same roots in it`(
        _ theirs: [FilePath: Bool], _ ours: [FilePath], _ known: Set<FilePath>
    ) {
        #expect(watched(theirs).known(of: SessionRoots(ours)) == known)
    }
}
