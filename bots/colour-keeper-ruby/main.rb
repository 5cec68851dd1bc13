# frozen_string_literal: true

# The server half of a bot; strategy.rb is the other. It listens where ARENA_ADDRESS says, answers the hello, and
# answers each batch of questions with one message, until the arena closes the stream.

$LOAD_PATH.unshift(File.join(__dir__, 'pb'))
require 'grpc'
require 'bot_services_pb'
require_relative 'strategy'

PROTOCOL = 1
TABLES = 1024

# What the arena asks of a bot.
class Server < Arena::V1::Bot::Service
  def initialize(&ended)
    super()
    @ended = ended
  end

  # Give the nonce back and say how many tables this bot plays at once.
  def hello(request, _call)
    tables = request.tables_max.positive? ? [request.tables_max, TABLES].min : TABLES
    Arena::V1::HelloReply.new(protocol: PROTOCOL, nonce: request.nonce, tables: tables, description: Strategy::DESCRIPTION)
  end

  # Answer every batch at once. The strategy remembers nothing: `turn.table` would tell the tables apart.
  def play(batches, _call)
    Enumerator.new do |answers|
      batches.each do |batch|
        next if batch.turns.empty?

        answers << answer(batch)
      end
      @ended.call
    end
  end

  private

  # Answer one batch. An error ends the bot and says where it was: gRPC would tell the arena its name alone.
  def answer(batch)
    Arena::V1::Answers.new(answers: batch.turns.map { |turn| Strategy.answer(turn) })
  rescue Exception => e # rubocop:disable Lint/RescueException (also too deep a recursion)
    warn e.full_message(highlight: false, order: :bottom)
    exit!(1)
  end
end

address = ENV.fetch('ARENA_ADDRESS') { abort('ARENA_ADDRESS is not set: the arena starts bots') }
over = Queue.new
server = GRPC::RpcServer.new(pool_size: 2, server_args: { 'grpc.max_receive_message_length' => -1 })
server.add_http2_port(address, :this_port_is_insecure)
server.handle(Server.new { over << true })
serving = Thread.new { server.run }
over.pop
server.stop
serving.join
