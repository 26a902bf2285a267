// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that whoever builds or uses the toolkit needs nothing of this.
let package = Package(
    name: "trace-benchmarks",
    dependencies: [
        .package(name: "trace", path: ".."),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        // Without its traits, which count allocations with packages of their own.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "MicroBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "TraceDigest", package: "trace"),
                .product(name: "TraceFormat", package: "trace"),
                .product(name: "TraceIndex", package: "trace"),
                .product(name: "TraceStore", package: "trace"),
            ],
            path: "MicroBenchmarks",
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ],
    swiftLanguageModes: [.v6]
)
