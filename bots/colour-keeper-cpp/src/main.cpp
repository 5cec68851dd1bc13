// The server half of a bot; strategy.cpp is the other. It listens where ARENA_ADDRESS says, answers the
// hello, and answers each batch of questions with one message, until the arena closes the stream.

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <iostream>
#include <string_view>

#include "bot.grpc.pb.h"
#include "strategy.h"

namespace {

constexpr std::uint32_t kProtocol = 1;
constexpr std::uint32_t kTables = 1024;
constexpr int kMessageBytes = 64 << 20;

// Answers one batch. An exception ends the bot, which says what it was: gRPC would tell nobody.
arena::v1::Answers answer_all(const arena::v1::Turns& batch) noexcept {
  arena::v1::Answers answers;
  for (const auto& turn : batch.turns()) *answers.add_answers() = answer(turn);
  return answers;
}

class Server final : public arena::v1::Bot::Service {
 public:
  // Gives the nonce back and says how many tables this bot plays at once.
  grpc::Status Hello(grpc::ServerContext*, const arena::v1::HelloRequest* request,
                     arena::v1::HelloReply* reply) override {
    const std::uint32_t most = request->tables_max();
    reply->set_protocol(kProtocol);
    reply->set_nonce(request->nonce());
    reply->set_tables(most > 0 ? std::min(kTables, most) : kTables);
    reply->set_description(kDescription);
    return grpc::Status::OK;
  }

  // Answers every batch at once. The strategy remembers nothing: turn.table() would tell the tables
  // apart.
  grpc::Status Play(grpc::ServerContext*,
                    grpc::ServerReaderWriter<arena::v1::Answers, arena::v1::Turns>* stream) override {
    arena::v1::Turns batch;
    while (stream->Read(&batch)) {
      if (batch.turns_size() == 0) continue;
      if (!stream->Write(answer_all(batch))) break;
    }
    ended_.set_value();
    return grpc::Status::OK;
  }

  std::future<void> ended() { return ended_.get_future(); }

 private:
  std::promise<void> ended_;
};

}  // namespace

int main() {
  const char* address = std::getenv("ARENA_ADDRESS");
  if (address == nullptr || !std::string_view(address).starts_with("unix:")) {
    std::cerr << "ARENA_ADDRESS must be unix:PATH: the arena starts bots\n";
    return 1;
  }
  Server bot;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.RegisterService(&bot);
  builder.SetMaxReceiveMessageSize(kMessageBytes);
  // One stream is all that the arena opens: few threads serve it.
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 2);
  const auto server = builder.BuildAndStart();
  if (server == nullptr) {
    std::cerr << "cannot listen at " << address << '\n';
    return 1;
  }
  bot.ended().wait();
  server->Shutdown();
}
