import SystemPackage
internal import TraceFiles

/// Which watch descriptor stands for which directory.
///
/// A watch is *attached* while its directory is known by a path. When the path is gone it is *loose* until the kernel
/// tells that the watch has ended: events may be in the queue that were caused before.
///
/// A directory's children are a doubly linked list through their entries: a set for each directory that has some would take
/// as much memory as all the rest of the entry.
struct WatchTable {
    /// A directory with a watch.
    struct Entry {
        let path: FilePath
        let identity: FileID
        fileprivate var parent = WatchTable.none
        fileprivate var firstChild = WatchTable.none
        fileprivate var previousSibling = WatchTable.none
        fileprivate var nextSibling = WatchTable.none

        /// Whether a watched directory lies directly in this one.
        var hasChildren: Bool { firstChild != WatchTable.none }
    }

    /// In the links between entries: no watch. The kernel numbers watches from 1.
    fileprivate static let none: Int32 = -1

    private struct LooseWatch {
        let identity: FileID?
        var isFreed = false
    }

    private var attached: [Int32: Entry] = [:]
    private var loose: [Int32: LooseWatch] = [:]
    private var descriptorByPath: [FilePath: Int32] = [:]
    /// Nil until it is asked for the first time, which most trees never need.
    private var descriptorByIdentity: [FileID: Int32]?

    /// Attached watches.
    var count: Int { attached.count }

    /// The attached watches in no order.
    var entries: some Sequence<Entry> { attached.values }

    /// The directory of an attached watch.
    subscript(descriptor: Int32) -> Entry? { attached[descriptor] }

    /// The attached watch of a path.
    func descriptor(ofPath path: FilePath) -> Int32? { descriptorByPath[path] }

    /// The watch, attached or loose, that was last set on a directory.
    ///
    /// - Complexity: O(1), the first time O(number of watches).
    mutating func descriptor(ofIdentity identity: FileID) -> Int32? {
        if let descriptorByIdentity { return descriptorByIdentity[identity] }
        let all = identifiedDescriptors()
        descriptorByIdentity = all
        return all[identity]
    }

    private func identifiedDescriptors() -> [FileID: Int32] {
        var all: [FileID: Int32] = [:]
        all.reserveCapacity(attached.count + loose.count)
        // Of several loose watches of one directory, the one with the highest number was set last; one that is attached was
        // set after all of them.
        for (descriptor, watch) in loose {
            guard let identity = watch.identity else { continue }
            all[identity] = max(descriptor, all[identity] ?? descriptor)
        }
        for (descriptor, entry) in attached { all[entry.identity] = descriptor }
        return all
    }

    /// Whether the watch had a directory once, and its end is still to be reported.
    func isLoose(_ descriptor: Int32) -> Bool { loose[descriptor] != nil }

    /// Attaches a new watch.
    ///
    /// - Precondition: No watch is attached at the path.
    mutating func attach(_ descriptor: Int32, path: FilePath, identity: FileID) {
        precondition(descriptorByPath[path] == nil, "a path has one attached watch")
        attached[descriptor] = Entry(path: path, identity: identity)
        descriptorByPath[path] = descriptor
        descriptorByIdentity?[identity] = descriptor
        joinParent(descriptor)
    }

    /// Makes an attached watch part of the subtree of the directory above it, if that one is watched.
    mutating func joinParent(_ descriptor: Int32) {
        guard let entry = attached[descriptor], entry.parent == Self.none,
            let parent = descriptorByPath[entry.path.removingLastComponent()], parent != descriptor,
            let first = attached[parent]?.firstChild
        else { return }
        attached[descriptor]?.parent = parent
        attached[descriptor]?.nextSibling = first
        attached[first]?.previousSibling = descriptor
        attached[parent]?.firstChild = descriptor
    }

    /// Takes an entry out of the list of its parent's children.
    private mutating func leaveParent(_ entry: Entry) {
        if entry.previousSibling != Self.none {
            attached[entry.previousSibling]?.nextSibling = entry.nextSibling
        } else {
            attached[entry.parent]?.firstChild = entry.nextSibling
        }
        attached[entry.nextSibling]?.previousSibling = entry.previousSibling
    }

    /// Calls a function with each child of an entry, which may take the child out of the table or change its links.
    private mutating func forEachChild(of entry: Entry, _ body: (inout WatchTable, Int32) -> Void) {
        var child = entry.firstChild
        while let next = attached[child]?.nextSibling {
            body(&self, child)
            child = next
        }
    }

    /// Notes a watch whose directory was gone before its path could be made sure of.
    mutating func addLoose(_ descriptor: Int32) {
        loose[descriptor] = LooseWatch(identity: nil)
    }

    /// Notes that the library has freed its record of a loose watch.
    mutating func markFreed(_ descriptor: Int32) {
        loose[descriptor]?.isFreed = true
    }

    /// Takes the paths from a watch and all below it; they are loose from now on.
    ///
    /// - Returns: The watches, parents before children.
    /// - Complexity: O(size of the subtree).
    mutating func detachSubtree(_ top: Int32) -> [Int32] {
        guard let entry = attached[top] else { return [] }
        leaveParent(entry)
        var detached = [top]
        var next = 0
        while next < detached.count {
            let descriptor = detached[next]
            next += 1
            guard let entry = attached.removeValue(forKey: descriptor) else { continue }
            descriptorByPath[entry.path] = nil
            loose[descriptor] = LooseWatch(identity: entry.identity)
            forEachChild(of: entry) { _, child in detached.append(child) }
        }
        return detached
    }

    /// Forgets a watch that has ended.
    ///
    /// Watches below it, if there are any, stay attached, outside any subtree.
    ///
    /// - Returns: Whether the library holds a record of it still.
    mutating func remove(_ descriptor: Int32) -> Bool {
        if let entry = attached.removeValue(forKey: descriptor) {
            descriptorByPath[entry.path] = nil
            leaveParent(entry)
            forEachChild(of: entry) { table, child in
                table.attached[child]?.parent = Self.none
                table.attached[child]?.previousSibling = Self.none
                table.attached[child]?.nextSibling = Self.none
            }
            forget(entry.identity, of: descriptor)
            return true
        }
        guard let watch = loose.removeValue(forKey: descriptor) else { return false }
        if let identity = watch.identity {
            forget(identity, of: descriptor)
        }
        return !watch.isFreed
    }

    /// Forgets everything.
    mutating func removeAll() {
        self = WatchTable()
    }

    private mutating func forget(_ identity: FileID, of descriptor: Int32) {
        if descriptorByIdentity?[identity] == descriptor {
            descriptorByIdentity?[identity] = nil
        }
    }
}
