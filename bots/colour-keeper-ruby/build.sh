#!/bin/sh
# Generate pb/ from the contract, with the machine's protoc and grpc_ruby_plugin.
set -eu
mkdir -p pb
protoc --ruby_out=pb --grpc_out=pb --plugin=protoc-gen-grpc="$(command -v grpc_ruby_plugin)" bot.proto
ruby -wc main.rb strategy.rb >/dev/null
