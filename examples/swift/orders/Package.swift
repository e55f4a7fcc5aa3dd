// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "orders",
    dependencies: [.package(name: "saiban", path: "../../../bindings/uniffi/swift")],
    targets: [
        .executableTarget(name: "orders", dependencies: [.product(name: "Saiban", package: "saiban")])
    ]
)
