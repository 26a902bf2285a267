import Foundation
import TestSupport

/// A disk as a power cut finds it: what is durable, and what the kernel has only promised.
///
/// The bytes of a file are durable after `fsync` or `fdatasync` of it, the names in a directory after `fsync`
/// of that directory; a rename is one step, also between two directories. What has not been synced may or may
/// not be there, name by name; of the bytes of a file some first writes may be there and a part of the next,
/// or its length with zeros in it. File systems promise more than that: what holds here holds on each of
/// them.
final class DiskModel {
    final class Node {
        var isDirectory: Bool
        /// What a reader sees now.
        var bytes: [UInt8]
        var names: [String: Node] = [:]
        /// What a power cut can't undo.
        fileprivate var durable: [UInt8]
        fileprivate var durableNames: [String: Node] = [:]
        /// The changes of the bytes since.
        fileprivate var pending: [Change] = []

        fileprivate init(isDirectory: Bool, bytes: [UInt8] = []) {
            self.isDirectory = isDirectory
            self.bytes = bytes
            durable = bytes
        }
    }

    fileprivate enum Change {
        case write([UInt8], at: Int)
        case truncate(Int)

        func apply(to bytes: inout [UInt8]) {
            switch self {
            case .write(let new, let offset):
                if bytes.count < offset { bytes += Array(repeating: 0, count: offset - bytes.count) }
                let end = min(bytes.count, offset + new.count)
                bytes.replaceSubrange(offset..<end, with: new)
            case .truncate(let length): bytes.removeLast(max(0, bytes.count - length))
            }
        }
    }

    /// Changes of names that come together.
    fileprivate struct NameChange {
        var edits: [(directory: Node, name: String, node: Node?)]
    }

    private(set) var root: Node
    private let prefix: String
    private var pendingNames: [NameChange] = []
    private var open: [Int: (node: Node, position: Int, appends: Bool)] = [:]

    /// The disk as it lies below a path, everything durable.
    init(_ path: String) throws {
        prefix = path
        root = try Self.load(path)
    }

    private static func load(_ path: String) throws -> Node {
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard isDirectory.boolValue else {
            return Node(isDirectory: false, bytes: Array(try Data(contentsOf: URL(filePath: path))))
        }
        let node = Node(isDirectory: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasPrefix(".run-") {
            node.names[name] = try load("\(path)/\(name)")
        }
        node.durableNames = node.names
        return node
    }

    // MARK: - Replaying

    /// Does what a call did.
    func replay(_ call: RecordedCall) {
        guard call.result >= 0 else { return }
        switch call.name {
        case "openat":
            guard let path = call.path(at: 0), let place = place(of: path) else { return }
            let flags = call.arguments[2]
            if place.directory.names[place.name] == nil, place.name != "" {
                guard flags.contains("O_CREAT") else { return }
                change([(place.directory, place.name, Node(isDirectory: false))])
            }
            let node = place.name == "" ? place.directory : place.directory.names[place.name]
            if let node { open[call.result] = (node, 0, flags.contains("O_APPEND")) }
        case "write":
            guard var file = open[call.descriptor(at: 0)], call.touches(prefix) else { return }
            let bytes = Array(call.bytes(at: 1).prefix(call.result))
            write(bytes, to: &file)
            open[call.descriptor(at: 0)] = file
        case "copy_file_range":
            guard let source = open[call.descriptor(at: 0)], var target = open[call.descriptor(at: 2)] else {
                return
            }
            target.position = call.number(at: 3)
            let start = call.number(at: 1)
            write(Array(source.node.bytes[start..<start + call.result]), to: &target)
        case "ftruncate":
            guard let file = open[call.descriptor(at: 0)] else { return }
            file.node.change(.truncate(call.number(at: 1)))
        case "fsync", "fdatasync":
            guard let file = open[call.descriptor(at: 0)] else { return }
            file.node.isDirectory ? syncNames(of: file.node) : file.node.sync()
        case "mkdirat":
            guard let path = call.path(at: 0), let place = place(of: path) else { return }
            change([(place.directory, place.name, Node(isDirectory: true))])
        case "unlinkat":
            guard let path = call.path(at: 0), let place = place(of: path) else { return }
            change([(place.directory, place.name, nil)])
        case "renameat", "renameat2":
            guard let old = call.path(at: 0).flatMap(place), let new = call.path(at: 2).flatMap(place) else {
                return
            }
            change([(old.directory, old.name, nil), (new.directory, new.name, old.directory.names[old.name])])
        case "linkat":
            guard let old = call.path(at: 0).flatMap(place), let new = call.path(at: 2).flatMap(place) else {
                return
            }
            change([(new.directory, new.name, old.directory.names[old.name])])
        default: return
        }
    }

    private func write(_ bytes: [UInt8], to file: inout (node: Node, position: Int, appends: Bool)) {
        let offset = file.appends ? file.node.bytes.count : file.position
        file.node.change(.write(bytes, at: offset))
        file.position = offset + bytes.count
    }

    private func change(_ edits: [(directory: Node, name: String, node: Node?)]) {
        for edit in edits { edit.directory.names[edit.name] = edit.node }
        pendingNames.append(NameChange(edits: edits))
    }

    /// A change that a sync of one directory makes durable is durable as a whole.
    private func syncNames(of directory: Node) {
        var rest: [NameChange] = []
        for change in pendingNames {
            if change.edits.contains(where: { $0.directory === directory }) {
                for edit in change.edits { edit.directory.durableNames[edit.name] = edit.node }
            } else {
                rest.append(change)
            }
        }
        pendingNames = rest
    }

    /// Directory and name of a path; the name is empty for the root. Nil if it lies elsewhere.
    private func place(of path: String) -> (directory: Node, name: String)? {
        guard path == prefix || path.hasPrefix(prefix + "/") else { return nil }
        let names = path.dropFirst(prefix.count).split(separator: "/").filter { $0 != "." }.map(String.init)
        var directory = root
        for name in names.dropLast() {
            guard let next = directory.names[name] else { return nil }
            directory = next
        }
        return (directory, names.last ?? "")
    }

    // MARK: - Cutting the power

    /// A disk that a power cut can leave at this moment.
    struct Remains: Hashable {
        /// The bytes of each file, nil for a directory, by its path below the root.
        var files: [String: [UInt8]?]
        /// Whether a write is there in part.
        var isTorn: Bool
    }

    /// Disks that a power cut can leave now: with nothing that was not synced, with everything, and up to
    /// `count` others.
    func remains(count: Int, _ dice: inout SeededRandom) -> Set<Remains> {
        var all: Set<Remains> = [
            remains { _ in
                false
            } bytes: { _ in
                0
            },
            remains { _ in
                true
            } bytes: {
                $0
            },
        ]
        for _ in 0..<count {
            let kept = pendingNames.map { _ in Bool.random(using: &dice) }
            var drawn = dice
            all.insert(
                remains {
                    kept[$0]
                } bytes: {
                    Double.random(in: 0...Double($0), using: &drawn)
                })
            dice = drawn
        }
        return all
    }

    /// - Parameters:
    ///   - keeps: Whether a pending change of names is there, by its index.
    ///   - bytes: How many of the pending changes of a file are there; a fraction is a part of the next one.
    private func remains(keeps: (Int) -> Bool, bytes: (Double) -> Double) -> Remains {
        var names: [ObjectIdentifier: [String: Node]] = [:]
        func collect(_ node: Node) {
            guard node.isDirectory, names[ObjectIdentifier(node)] == nil else { return }
            names[ObjectIdentifier(node)] = node.durableNames
            for child in node.durableNames.values { collect(child) }
        }
        collect(root)
        for (index, change) in pendingNames.enumerated() where keeps(index) {
            for edit in change.edits {
                if let node = edit.node { collect(node) }
                names[ObjectIdentifier(edit.directory), default: edit.directory.durableNames][edit.name] =
                    edit.node
            }
        }
        var remains = Remains(files: [:], isTorn: false)
        func lay(_ node: Node, at path: String) {
            if node.isDirectory {
                remains.files[path] = .some(nil)
                for (name, child) in names[ObjectIdentifier(node)] ?? [:] {
                    lay(child, at: path.isEmpty ? name : "\(path)/\(name)")
                }
            } else {
                let (bytes, isTorn) = node.remains(after: bytes(Double(node.pending.count)))
                remains.files[path] = bytes
                if isTorn { remains.isTorn = true }
            }
        }
        lay(root, at: "")
        return remains
    }
}

extension DiskModel.Node {
    fileprivate func change(_ change: DiskModel.Change) {
        change.apply(to: &bytes)
        pending.append(change)
    }

    fileprivate func sync() {
        durable = bytes
        pending = []
    }

    /// The bytes with so many of the pending changes.
    fileprivate func remains(after count: Double) -> (bytes: [UInt8], isTorn: Bool) {
        var bytes = durable
        for change in pending.prefix(Int(count)) { change.apply(to: &bytes) }
        let part = count - count.rounded(.down)
        guard part > 0, Int(count) < pending.count, case .write(let new, let offset) = pending[Int(count)]
        else {
            return (bytes, false)
        }
        let length = Int(Double(new.count) * part)
        // Half of them with the new length and zeros where the bytes have not come.
        let zeros = part > 0.5 ? Array(repeating: UInt8(0), count: new.count - length) : []
        DiskModel.Change.write(Array(new.prefix(length)) + zeros, at: offset).apply(to: &bytes)
        return (bytes, true)
    }
}

/// A call as `strace -y -xx` tells it.
struct RecordedCall {
    let name: String
    let arguments: [String]
    let result: Int

    init?(_ line: Substring) {
        let text = line.drop { $0.isNumber || $0 == " " }
        guard let open = text.firstIndex(of: "("),
            let end = text.range(of: ") = ", options: .backwards)
                ?? text.range(of: ")  ", options: .backwards), !text.hasPrefix("+++"), !text.hasPrefix("---")
        else { return nil }
        name = String(text[..<open])
        arguments = String(text[text.index(after: open)..<end.lowerBound]).components(separatedBy: ", ")
        let tail = text[end.upperBound...].drop { $0 == " " || $0 == "=" }
        result = Int(tail.prefix { $0 == "-" || $0.isNumber }) ?? -1
    }

    func descriptor(at index: Int) -> Int { number(at: index) }

    /// The number with which an argument begins, be it in brackets.
    func number(at index: Int) -> Int {
        Int(arguments[index].drop { $0 == "[" }.prefix { $0.isNumber }) ?? -1
    }

    func bytes(at index: Int) -> [UInt8] { Self.decode(arguments[index]) }

    /// The path that a descriptor and the name behind it lead to.
    func path(at index: Int) -> String? {
        guard arguments.count > index + 1, let start = arguments[index].firstIndex(of: "<") else {
            return nil
        }
        let directory = String(decoding: Self.decode(String(arguments[index][start...])), as: UTF8.self)
        let name = String(decoding: bytes(at: index + 1), as: UTF8.self)
        if name.hasPrefix("/") { return name }
        return name == "." ? directory : "\(directory)/\(name)"
    }

    /// Whether the descriptor's file lies below a path.
    func touches(_ prefix: String) -> Bool {
        guard let start = arguments[0].firstIndex(of: "<") else { return false }
        return String(decoding: Self.decode(String(arguments[0][start...])), as: UTF8.self).hasPrefix(
            prefix + "/")
    }

    /// What stands in it as `\x2f`.
    private static func decode(_ text: String) -> [UInt8] {
        text.components(separatedBy: "\\x").dropFirst().compactMap { UInt8($0.prefix(2), radix: 16) }
    }
}
