#!/bin/sh
# Make arenapb/ from bot.proto with the plugins that go.mod pins, then the static binary that is shipped.
set -eu
go build -o build/ google.golang.org/protobuf/cmd/protoc-gen-go google.golang.org/grpc/cmd/protoc-gen-go-grpc
mkdir -p arenapb
here="paths=source_relative,Mbot.proto=bot/arenapb"
PATH="$PWD/build:$PATH" protoc bot.proto --go_out=arenapb --go_opt="$here" \
    --go-grpc_out=arenapb --go-grpc_opt="$here"
# Without the state of the repository around it: unchanged sources give the same bytes, the same version.
CGO_ENABLED=0 go build -trimpath -buildvcs=false -o bot .
