//! Generates the messages and the service from `bot.proto`.

fn main() -> std::io::Result<()> {
    tonic_prost_build::configure()
        .build_client(false)
        .compile_protos(&["bot.proto"], &["."])
}
