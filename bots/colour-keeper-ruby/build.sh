#!/bin/sh
# Generate pb/ from the contract, with the machine's protoc and grpc_ruby_plugin.
set -eu
mkdir -p pb
protoc --ruby_out=pb --grpc_out=pb --plugin=protoc-gen-grpc="$(command -v grpc_ruby_plugin)" bot.proto
# Ruby checks one file at a time: of several it takes the others as arguments of the first.
for source in *.rb; do
    ruby -wc "$source" >/dev/null
done
