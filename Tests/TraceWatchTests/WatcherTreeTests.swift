import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing
import TraceFiles

@testable import TraceWatch

extension WatcherTests {
    @Suite struct Trees {
        @Test(arguments: InotifyBackend.allCases)
        func `a file written in a new directory is reported or lies in a directory that appeared`(
            _ backend: InotifyBackend
        )
            async throws
        {
            let scratch = try Scratch()
            try await withWatcher(scratch.path, backend: backend) { _, recorder in
                for number in 0..<400 {
                    let directory = scratch.path.appending("\(number)/b/c")
                    try makeDirectories(directory)
                    try write("x", to: directory.appending("f"))
                }
                let events = try await recorder.settle(in: scratch.path)
                let appeared = Set(
                    events.compactMap { if case .directoryAppeared(let path) = $0 { path } else { nil } })
                for number in 0..<400 {
                    for path in ["\(number)", "\(number)/b", "\(number)/b/c"] {
                        #expect(appeared.contains(scratch.path.appending(path)))
                    }
                }
                let start = recorder.events.count
                for number in 0..<400 {
                    try write("y", to: scratch.path.appending("\(number)/b/c/f"))
                }
                try await recorder.settle(in: scratch.path)
                let written = Set(recorder.events.dropFirst(start).compactMap(\.writtenFile))
                for number in 0..<400 {
                    #expect(written.contains(scratch.path.appending("\(number)/b/c/f")))
                }
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a directory that is deleted and made again is watched`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            let directory = scratch.path.appending("session")
            try makeDirectory(directory)
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                for number in 0..<200 {
                    try removeDirectory(directory)
                    try makeDirectory(directory)
                    let file = directory.appending("f\(number)")
                    if number.isMultiple(of: 3) {
                        try await recorder.settle(in: scratch.path)
                        try write("x", to: file)
                        try await recorder.event { $0.isChange(.written, at: file) }
                        try remove(file)
                    }
                }
                let start = recorder.events.count
                try await recorder.settle(in: scratch.path)
                try write("x", to: directory.appending("last"))
                try await recorder.event(from: start) {
                    $0.isChange(.written, at: directory.appending("last"))
                }
                #expect(watcher.directoryCount == 2)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `after a rename events carry the new path`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            let old = scratch.path.appending("old"), new = scratch.path.appending("new")
            try makeDirectories(old.appending("media/x"))
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                try move(old, to: new)
                try await recorder.expect(.directoryVanished(old))
                for path in ["", "media", "media/x"] {
                    try await recorder.expect(.directoryAppeared(new.appending(path)))
                }
                try write("x", to: new.appending("media/x/f"))
                try await recorder.event { $0.isChange(.written, at: new.appending("media/x/f")) }
                #expect(watcher.directoryCount == 4)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `two directories that change places are both watched`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            let first = scratch.path.appending("first"), second = scratch.path.appending("second")
            let between = scratch.path.appending("between")
            try makeDirectories(first.appending("one"))
            try makeDirectories(second.appending("two"))
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                for round in 0..<50 {
                    try move(first, to: between)
                    try move(second, to: first)
                    try move(between, to: second)
                    try await recorder.settle(in: scratch.path)
                    let odd = round.isMultiple(of: 2)
                    let path = first.appending(odd ? "two" : "one").appending("f\(round)")
                    try write("x", to: path)
                    try await recorder.event { $0.isChange(.written, at: path) }
                    #expect(watcher.directoryCount == 5)
                }
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a rename over an empty directory leaves the new one watched`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let source = scratch.path.appending("source"), target = scratch.path.appending("target")
            try makeDirectory(target)
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                for round in 0..<30 {
                    try makeDirectories(source.appending("inner"))
                    try move(source, to: target)
                    try await recorder.settle(in: scratch.path)
                    let path = target.appending("inner").appending("f\(round)")
                    try write("x", to: path)
                    try await recorder.event { $0.isChange(.written, at: path) }
                    try remove(path)
                    try removeDirectory(target.appending("inner"))
                }
                try await recorder.settle(in: scratch.path)
                #expect(watcher.directoryCount == 2)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a tree that is moved out is silent, and reported when it is moved in`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch(), outside = try Scratch()
            let inside = scratch.path.appending("a"), away = outside.path.appending("a")
            try makeDirectories(inside.appending("b"))
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                try move(inside, to: away)
                try await recorder.expect(.directoryVanished(inside))
                try write("x", to: away.appending("b/f"))
                let start = recorder.events.count
                #expect(
                    try await recorder.settle(in: scratch.path).allSatisfy { !$0.description(contains: "f") })
                #expect(watcher.directoryCount == 1)
                try move(away, to: inside)
                try await recorder.expect(.directoryAppeared(inside.appending("b")), from: start)
                try write("y", to: inside.appending("b/f"))
                try await recorder.event { $0.isChange(.written, at: inside.appending("b/f")) }
                #expect(watcher.directoryCount == 3)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `one root may lie in another`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            let inner = scratch.path.appending("a/inner")
            try makeDirectories(inner.appending("x"))
            try await withWatcher(inner, scratch.path, backend: backend) { watcher, recorder in
                #expect(watcher.directoryCount == 4)
                try write("x", to: inner.appending("x/f"))
                let events = try await recorder.settle(in: scratch.path)
                #expect(events.filter { $0.isChange(.written, at: inner.appending("x/f")) }.count == 1)
                try move(scratch.path.appending("a"), to: scratch.path.appending("b"))
                try await recorder.expect(.directoryVanished(inner))
                try move(scratch.path.appending("b"), to: scratch.path.appending("a"))
                try await recorder.expect(.directoryAppeared(inner.appending("x")))
                try write("x", to: inner.appending("x/g"))
                try await recorder.event { $0.isChange(.written, at: inner.appending("x/g")) }
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `churn loses no directory`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch(), outside = try Scratch()
            var random = Torture.dice("churn")
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                for round in 0..<Torture.size(full: 20, sample: 3) {
                    for _ in 0..<300 {
                        try? churn(scratch.path, outside.path, &random)
                    }
                    try await recorder.settle(in: scratch.path)
                    let directories = try FileManager.default.subpathsOfDirectory(atPath: scratch.path.string)
                        .map { scratch.path.appending($0) }
                        .filter { (try? FileStatus(of: $0, followingLinks: false))?.kind == .directory }
                    #expect(watcher.directoryCount == directories.count + 1)
                    for directory in directories {
                        try write("x", to: directory.appending("probe\(round)"))
                    }
                    for directory in directories {
                        try await recorder.event {
                            $0.isChange(.written, at: directory.appending("probe\(round)"))
                        }
                    }
                }
                // How often a directory is replaced while it is looked at depends on what else the machine does; the caller is asked to look again
                // then, and the above holds all the same.
                let reasons = recorder.events.compactMap(\.rescanReason)
                #expect(reasons.allSatisfy { $0 == .lostTrack }, "\(reasons)")
            }
        }

        /// Makes, moves or deletes a directory out of a few.
        private func churn(
            _ inside: FilePath, _ outside: FilePath, _ random: inout SeededRandom
        ) throws {
            let names: [FilePath.Component] = ["a", "b", "c"]
            func place() -> FilePath {
                var path = Int.random(in: 0..<8, using: &random) == 0 ? outside : inside
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    path.append(names[Int.random(in: 0..<3, using: &random)])
                }
                return path
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1, 2: try makeDirectories(place())
            case 3, 4: try move(place(), to: place())
            default: try FileManager.default.removeItem(atPath: place().string)
            }
        }
    }
}
