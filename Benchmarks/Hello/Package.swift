// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the server beside which ours is measured is built without the rest of the benchmarks. It is built
// with the toolkit's Package.resolved, so that both have the same version of everything.
let package = Package(
    name: "http-hello",
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "http-hello", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
