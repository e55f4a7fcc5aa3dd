// swift-tools-version: 6.0
// A folder of its own: Swift names a package after its folder, and saiban's folder is `swift`.

import PackageDescription

let package = Package(
    name: "paces",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "saiban", path: "../../../bindings/uniffi/swift")],
    targets: [
        .executableTarget(name: "paces", dependencies: [.product(name: "Saiban", package: "saiban")])
    ]
)
