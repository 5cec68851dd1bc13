// The server half of a bot; strategy.ts is the other. It listens where ARENA_ADDRESS says, answers the hello, and
// answers each batch of questions with one message, until the arena closes the stream.

import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import {
  type Answers,
  AnswersSchema,
  type HelloReply,
  HelloReplySchema,
  type HelloRequest,
  HelloRequestSchema,
  type Turns,
  TurnsSchema,
} from "./pb/bot_pb";
import { answer, DESCRIPTION } from "./strategy";

const PROTOCOL = 1;
const TABLES = 1024;

const reader =
  <T extends DescMessage>(schema: T) =>
  (data: Buffer): MessageShape<T> =>
    fromBinary(schema, data);
const writer =
  <T extends DescMessage>(schema: T) =>
  (message: MessageShape<T>): Buffer =>
    Buffer.from(toBinary(schema, message));

const service = {
  Hello: {
    path: "/arena.v1.Bot/Hello",
    requestStream: false,
    responseStream: false,
    requestDeserialize: reader(HelloRequestSchema),
    requestSerialize: writer(HelloRequestSchema),
    responseDeserialize: reader(HelloReplySchema),
    responseSerialize: writer(HelloReplySchema),
  },
  Play: {
    path: "/arena.v1.Bot/Play",
    requestStream: true,
    responseStream: true,
    requestDeserialize: reader(TurnsSchema),
    requestSerialize: writer(TurnsSchema),
    responseDeserialize: reader(AnswersSchema),
    responseSerialize: writer(AnswersSchema),
  },
};

const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });

/** Give the nonce back and say how many tables this bot plays at once. */
function hello(
  call: grpc.ServerUnaryCall<HelloRequest, HelloReply>,
  reply: grpc.sendUnaryData<HelloReply>,
): void {
  const { nonce, tablesMax } = call.request;
  const tables = tablesMax > 0 ? Math.min(tablesMax, TABLES) : TABLES;
  reply(null, create(HelloReplySchema, { protocol: PROTOCOL, nonce, tables, description: DESCRIPTION }));
}

/** Answer every batch at once. The strategy remembers nothing: `turn.table` would tell the tables apart. */
function play(call: grpc.ServerDuplexStream<Turns, Answers>): void {
  call.on("data", (batch: Turns) => {
    if (batch.turns.length > 0) call.write(create(AnswersSchema, { answers: batch.turns.map(answer) }));
  });
  call.on("end", () => {
    call.end();
    server.tryShutdown(() => process.exit(0));
  });
}

const address = process.env.ARENA_ADDRESS;
if (!address) {
  console.error("ARENA_ADDRESS is not set: the arena starts bots");
  process.exit(2);
}
server.addService(service, { Hello: hello, Play: play });
server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error) => {
  if (error) {
    console.error(`cannot listen at ${address}: ${error.message}`);
    process.exit(2);
  }
});
