// swift-tools-version: 6.0
// A folder of its own: to Swift a package is called as its folder is, and saiban's is `swift`
// already.

import PackageDescription

let package = Package(
    name: "faults",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "saiban", path: "../../../../bindings/uniffi/swift")],
    targets: [
        .executableTarget(name: "faults", dependencies: [.product(name: "Saiban", package: "saiban")])
    ]
)
